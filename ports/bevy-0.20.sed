# What changes in the source for Bevy 0.20, as commands for `sed --regexp-extended`.

# Cargo.toml
s/(^bevy = .*version = ")0\.19\.1"/\10.20.1"/
s/(^wgpu = .*version = ")29"/\130"/
s/(^bevy_transform_interpolation = ")0\.5"/\10.6"/
s/(^bevy_ecs_ldtk = .*version = ")0\.15"/\10.16"/
s/(^bevy_ecs_tiled = .*version = ")0\.13\.4"/\10.15.0"/
s/(^lightyear.* = .*version = ")0\.30\.1"/\10.31.0"/
s/(^avian2d = .*version = ")0\.7\.0"/\10.8.0"/
s/(^bevy_rapier2d = .*version = ")0\.36\.0"/\10.37.0"/
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

# An endpoint, which is a server by a marker, has lightyear's conditions.
s/\bServer::new\((Some\(protocol::conditioner\(options\)\))\)/(Server, lightyear::prelude::Endpoint::new(\1))/

# What avian2d has as features no more.
/^    "(f32|simd)",$/d

# What the peers changed.
s/\bCollider::convex_hull\(points\.clone\(\)\)/Collider::convex_hull(\&points)/
s/\bSpeculativeMargin\(0\.0\)/SpeculativeCcd::ZERO/
s/^( +let circle = )\(&circle\)\.into\(\);/\1\&circle;/
s/(context\.intersect_point\(input\.position, filter, \|entity)\|/\1, _|/
