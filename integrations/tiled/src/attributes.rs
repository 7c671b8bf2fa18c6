//! The attributes of an XML element.

use std::str::FromStr;

use quick_xml::events::BytesStart;

/// Attributes by name, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes(Vec<(String, String)>);

/// What an attribute may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Natural,
    Integer,
    /// Finite.
    Float,
}

impl Number {
    pub fn is_one(self, text: &str) -> bool {
        match self {
            Self::Natural => text.parse::<u32>().is_ok(),
            Self::Integer => text.parse::<i32>().is_ok(),
            Self::Float => text.parse::<f32>().is_ok_and(f32::is_finite),
        }
    }
}

impl Attributes {
    pub fn read(element: &BytesStart) -> Result<Self, String> {
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let name = String::from_utf8_lossy(attribute.key.into_inner()).into_owned();
            let value = attribute.unescape_value();
            let value = value.map_err(|error| error.to_string())?.into_owned();
            attributes.push((name, value));
        }
        Ok(Self(attributes))
    }

    pub fn write(&self, name: &str) -> BytesStart<'static> {
        let mut element = BytesStart::new(name.to_owned());
        for (name, value) in &self.0 {
            element.push_attribute((name.as_str(), value.as_str()));
        }
        element
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.0.push((name.into(), value.into()));
    }

    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }
}
