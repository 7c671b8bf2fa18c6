//! A duration on the command line.

/// Parses a finite, positive number of seconds.
pub fn seconds(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "it is not a number of seconds")?;
    if number > 0.0 && number.is_finite() {
        Ok(number)
    } else {
        Err("the number of seconds has to be finite and greater than zero".into())
    }
}
