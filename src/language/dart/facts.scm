; Dart. The captures are explained in ../treesitter/README.md.

[(comment) (documentation_comment) (block_comment) (documentation_block_comment)] @comment
(library_name (dotted_identifier_list) @package)

; Types
(class_declaration name: (identifier) @name body: (class_body) @body) @def.class
(class_declaration (mixin_application_class . (identifier) @name)) @def.class
(mixin_declaration name: (identifier) @name body: (class_body) @body) @def.trait
(extension_declaration name: (identifier) @name body: (extension_body) @body) @def.extension
(extension_type_declaration name: (extension_type_name (identifier) @name) body: (_)? @body) @def.struct
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(enum_entry name: (identifier) @name) @def.enumMember
(type_alias (type_identifier) @name (type) @type) @def.type
(type_alias (type) @type (type_identifier) @name) @def.type

; Members. A constructor is named for its class, or by the name behind the dot.
(member_declaration (method_declaration
  signature: (method_signature [
    (constructor_signature name: (identifier) @name . parameters: (_))
    (constant_constructor_signature name: (identifier) @name . parameters: (_))
    (factory_constructor_signature name: (identifier) @name . parameters: (_))
  ])
  body: (function_body) @body)) @def.constructor
(member_declaration (declaration [
  (constructor_signature name: (identifier) @name . parameters: (_))
  (constant_constructor_signature name: (identifier) @name . parameters: (_))
  (factory_constructor_signature name: (identifier) @name . parameters: (_))
  (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_))
])) @def.constructor
(member_declaration (method_declaration
  signature: (method_signature (function_signature return_type: (_)? @type name: (identifier) @name))
  body: (function_body) @body)) @def.method
(member_declaration (method_declaration
  signature: (method_signature (operator_signature return_type: (_)? @type operator: _ @name))
  body: (function_body) @body)) @def.method
(member_declaration (method_declaration
  signature: (method_signature [
    (getter_signature return_type: (_)? @type name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ])
  body: (function_body) @body)) @def.property
(member_declaration (declaration (function_signature return_type: (_)? @type name: (identifier) @name))) @def.method
(member_declaration (declaration (operator_signature return_type: (_)? @type operator: _ @name))) @def.method
(member_declaration (declaration [
  (getter_signature return_type: (_)? @type name: (identifier) @name)
  (setter_signature name: (identifier) @name)
])) @def.property
(member_declaration (declaration (type)? @type [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name value: (_)? @value))
  (static_final_declaration_list (static_final_declaration name: (identifier) @name value: (_)? @value))
  (identifier_list (identifier) @name)
])) @def.field

; The top level
(function_declaration signature: (function_signature return_type: (_)? @type name: (identifier) @name) body: (function_body) @body) @def.function
(external_function_declaration (function_signature return_type: (_)? @type name: (identifier) @name)) @def.function
(getter_declaration signature: (getter_signature return_type: (_)? @type name: (identifier) @name) body: (function_body) @body) @def.property
(setter_declaration signature: (setter_signature name: (identifier) @name) body: (function_body) @body) @def.property
(local_function_declaration (function_signature return_type: (_)? @type name: (identifier) @name) (function_body) @body) @def.function
(top_level_variable_declaration modifier: "const" (type)? @type
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @def.constant
(top_level_variable_declaration (type)? @type [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name value: (_)? @value))
  (static_final_declaration_list (static_final_declaration name: (identifier) @name value: (_)? @value))
]) @def.variable

; Names that functions bind
(function_expression) @scope
(function_expression parameters: (formal_parameter_list (formal_parameter . (identifier) @param)))
(formal_parameter (type)? @type name: (identifier) @param)
(field_formal_parameter (type)? @type name: (identifier) @param)
(super_formal_parameter (type)? @type name: (identifier) @param)
(type_parameter name: (type_identifier) @local)
(initialized_variable_declaration (type) @type name: (identifier) @local value: (_)? @value)
((initialized_variable_declaration name: (identifier) @local value: (call_expression function: (identifier) @type) @value)
  (#match? @type "^[A-Z]"))
(initialized_variable_declaration name: (identifier) @local value: (new_expression type: (type . (type_identifier) @type) ) @value)
(initialized_variable_declaration name: (identifier) @local value: (_) @value)
(initialized_variable_declaration name: (identifier) @local)
(initialized_variable_declaration (initialized_identifier name: (identifier) @local))
(for_statement (type)? @type name: (identifier) @local)
(for_statement name: (identifier) @local value: (_) @elements)
(catch_clause [exception: (identifier) stack_trace: (identifier)] @local)
(try_statement type: (type) @type . (catch_clause exception: (identifier) @local))
(variable_pattern (type)? @type name: (identifier) @local)

; A label is a name in a little scope of its own, so that it is no use of anything.
(label) @scope
(label (identifier) @local)
(labeled_statement . (identifier) @local)
[(break_statement (identifier) @local) (continue_statement (identifier) @local)]
(library_name (dotted_identifier_list (identifier) @local))
(part_of_directive (dotted_identifier_list (identifier) @local))
(combinator "hide" (identifier) @local)
(typed_identifier name: (identifier) @local)
(extension_type_representation name: (identifier) @local)

; Imports. The names behind `hide` are the ones that are not bound.
((import_specification uri: (_) @module .) @import (#set! name "*"))
(import_specification uri: (_) @module alias: (identifier) @alias) @import
((import_specification uri: (_) @module (combinator "show" (identifier) @name)) @import)
((import_specification uri: (_) @module !alias (combinator "hide")) @import (#set! name "*"))
(library_export uri: (_) @module (combinator "show" (identifier) @name)) @export
((library_export uri: (_) @module .) @export (#set! name "*"))
((library_export uri: (_) @module (combinator "hide")) @export (#set! name "*"))
((part_directive uri: (_) @module) @import (#set! style "part"))
((part_of_directive (_) @module) @import (#set! style "part of"))

; Calls
(call_expression function: (identifier) @name arguments: (arguments) @args) @call
(call_expression function: (member_expression object: _ @receiver property: (identifier) @name) arguments: (arguments) @args) @call
(call_expression function: (null_aware_member_expression object: _ @receiver property: (identifier) @name) arguments: (arguments) @args) @call
(call_expression function: (instantiation_expression function: (identifier) @name) arguments: (arguments) @args) @call
(cascade . _ @receiver (cascade_section (cascade_call_expression property: (identifier) @name arguments: (arguments) @args) @call))
(new_expression type: (type . (type_identifier) @name .) arguments: (arguments) @args) @call
(new_expression type: (type . (type_identifier) @receiver . (type_identifier) @name .) arguments: (arguments) @args) @call
(const_object_expression type: (type . (type_identifier) @name .) arguments: (arguments) @args) @call
(const_object_expression type: (type . (type_identifier) @receiver . (type_identifier) @name .) arguments: (arguments) @args) @call
(annotation name: (identifier) @name (annotation_arguments) @args) @call

; Inheritance. Prefixes of imports are in lower case.
([
  (superclass type: (type (type_identifier) @ref.inherit))
  (mixins (type (type_identifier) @ref.inherit))
  (interfaces (type (type_identifier) @ref.inherit))
  (mixin_declaration (type (type_identifier) @ref.inherit))
  (mixin_application (type (type_identifier) @ref.inherit))
] (#match? @ref.inherit "^[_$]*[A-Z]"))
([
  (superclass type: (type . (type_identifier) @receiver . (type_identifier) @ref.inherit))
  (mixins (type . (type_identifier) @receiver . (type_identifier) @ref.inherit))
  (interfaces (type . (type_identifier) @receiver . (type_identifier) @ref.inherit))
])

; Other names
(type . (type_identifier) @receiver . (type_identifier) @ref.type)
((type_identifier) @ref.type
  (#match? @ref.type "^[_$]*[A-Z]")
  (#not-any-of? @ref.type "Function" "Never" "Null" "Object" "String"))
(cascade . _ @receiver (cascade_section (cascade_selector (identifier) @ref.use)))
(member_expression object: _ @receiver property: (identifier) @ref.use)
(null_aware_member_expression object: _ @receiver property: (identifier) @ref.use)
(assignable_expression object: _ @receiver property: (identifier) @ref.use)
(field_initializer name: (identifier) @ref.use)
((identifier) @ref.use (#not-any-of? @ref.use "override" "required"))
(identifier_dollar_escaped) @ref.use
((type_identifier) @ref.use
  (#not-any-of? @ref.use "bool" "double" "dynamic" "int" "num" "void" "Function" "Never" "Null" "Object" "String"))
