; Protocol buffers. The captures are explained in ../treesitter/README.md.

(comment) @comment
(package (full_ident) @package)

(message (message_name (identifier) @name) (message_body) @body) @def.message
(group (message_name (identifier) @name) (message_body) @body) @def.message
(field (type) @type (identifier) @name) @def.field
(map_field (type) @type (identifier) @name) @def.field
(oneof_field (type) @type (identifier) @name) @def.field
(enum (enum_name (identifier) @name) (enum_body) @body) @def.enum
(enum_field . (identifier) @name) @def.enumMember
(extend (full_ident) @name (message_body) @body) @def.extension

(service (service_name (identifier) @name)) @def.service
(service (service_name) . (_) @body) @def.service
(rpc (rpc_name (identifier) @name) (message_or_enum_type) . (message_or_enum_type) @type) @def.method
(rpc (message_or_enum_type) . (message_or_enum_type) . (option) @body) @def.method

(source_file (option . [(identifier) (full_ident)] @name) @def.key)

; Imports
((import path: (string) @module) @import)
((import "public" path: (string) @module) @export (#set! name "*"))

; Types and custom options where they are used
(message_or_enum_type (identifier) @receiver . (identifier) @ref.type .)
(message_or_enum_type . (identifier) @ref.type .)
(field_option (full_ident (identifier) @ref.use .))
(option (full_ident (identifier) @ref.use .))
