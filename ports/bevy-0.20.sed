# What changes in the source for Bevy 0.20, as commands for `sed --regexp-extended`.

# Cargo.toml
s/(^bevy = .*version = ")0\.19\.1"/\10.20.1"/
s/(^wgpu = .*version = ")29"/\130"/
s/(^bevy_transform_interpolation = ")0\.5"/\10.6"/
s/^rust-version = "1\.95"/rust-version = "1.97.1"/

# Shapes and boxes have a crate of their own.
s/\bmath::bounding::/shape::/

# Lifecycle events have the component inside.
s/On<(Add|Insert|Remove), (\w+)>/On<\1<\2>>/

# Pointer events are types of their own.
s/Pointer<(Click|Over|Out)>/Pointer\1/

# A copy by reflection may fail.
s/\.to_dynamic\(\);/.to_dynamic().unwrap();/

# Exclusive systems count as systems that stay on the main thread.
s/ && !system\.is_exclusive\(\)//
