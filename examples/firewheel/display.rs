//! Whether there is a display to open a window on.

/// What is missing for a window, in words, or `None` if nothing is.
pub fn find_lack() -> Option<&'static str> {
    if !has_display() {
        Some("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)")
    } else if !has_adapter() {
        Some("There is no graphics adapter")
    } else {
        None
    }
}

/// Only Linux needs these variables. Other systems always have a display.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("WAYLAND_DISPLAY") || is_set("DISPLAY")
}

/// Bevy panics without one, so this is checked beforehand.
fn has_adapter() -> bool {
    let wanted = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    let instance = wgpu::Instance::new(wanted);
    let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default());
    bevy::tasks::block_on(adapter).is_ok()
}
