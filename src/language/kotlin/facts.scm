; Kotlin. The captures are explained in ../treesitter/README.md.

[(line_comment) (block_comment)] @comment
(package_header (qualified_identifier) @package)

; Definitions
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @def.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @def.enum
((class_declaration (modifiers (class_modifier) @_enum) name: (identifier) @name) @def.enum (#eq? @_enum "enum"))
(class_declaration "class" name: (identifier) @name (class_body)? @body) @def.class
(object_declaration name: (identifier) @name (class_body)? @body) @def.object
; A companion without a name is left out: its members are called by the name of the class around it.
(companion_object name: (identifier) @name (class_body)? @body) @def.object
(enum_entry (identifier) @name (class_body)? @body) @def.enumMember
(type_alias type: (identifier) @name "=" . (_) @type) @def.type
(secondary_constructor "constructor" @name (block)? @body) @def.constructor
(class_parameter ["val" "var"] . (identifier) @name . (_) @type) @def.field

; An extension belongs to the type that it extends. With type arguments the grammar takes the function's
; name for a part of the type and misses the name.
(source_file (function_declaration
  [(user_type (identifier) @container . (type_arguments)? .) (nullable_type (user_type (identifier) @container . (type_arguments)? .))]
  . name: (identifier) @name) @def.method (#not-eq? @name ""))
(function_declaration
  (user_type (identifier) @container . (type_arguments) . (identifier) @name .) . name: (MISSING identifier)) @def.method
(function_declaration
  (user_type (identifier) @name .) . name: (MISSING identifier)
  (function_value_parameters) . [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @def.method
(function_declaration (user_type (identifier) @name .) . name: (MISSING identifier) (function_body) @body) @def.method
(class_body (function_declaration name: (identifier) @name) @def.method (#not-eq? @name ""))
(enum_class_body (function_declaration name: (identifier) @name) @def.method (#not-eq? @name ""))
((function_declaration name: (identifier) @name (function_body)? @body) @def.function (#not-eq? @name ""))
((function_declaration
  name: (identifier) @name
  (function_value_parameters) . [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @def.function
  (#not-eq? @name ""))

((property_declaration (modifiers (property_modifier)) (variable_declaration (identifier) @name)) @def.constant)
(source_file (property_declaration
  [(user_type (identifier) @container . (type_arguments)? .) (nullable_type (user_type (identifier) @container . (type_arguments)? .))]
  . (variable_declaration (identifier) @name)) @def.property)
(_ (property_declaration
  (variable_declaration (identifier) @name (_)? @type)
  [(getter (function_body)) (setter (function_body))] @body) @def.property)
(source_file (property_declaration (variable_declaration (identifier) @name . (_)? @type)) @def.variable)
(source_file (property_declaration (variable_declaration (identifier) @name) "=" . (_) @value) @def.variable)
(class_body (property_declaration (variable_declaration (identifier) @name . (_)? @type)) @def.field)
(class_body (property_declaration (variable_declaration (identifier) @name) "=" . (_) @value) @def.field)
(enum_class_body (property_declaration (variable_declaration (identifier) @name . (_)? @type)) @def.field)
(enum_class_body (property_declaration (variable_declaration (identifier) @name) "=" . (_) @value) @def.field)

((class_declaration (modifiers (visibility_modifier) @private) name: (identifier) @name) @def.class (#eq? @private "private"))
((object_declaration (modifiers (visibility_modifier) @private) name: (identifier) @name) @def.object (#eq? @private "private"))
((companion_object (modifiers (visibility_modifier) @private) name: (identifier) @name) @def.object (#eq? @private "private"))
((type_alias (modifiers (visibility_modifier) @private) type: (identifier) @name) @def.type (#eq? @private "private"))
((secondary_constructor (modifiers (visibility_modifier) @private) "constructor" @name) @def.constructor (#eq? @private "private"))
((class_parameter (modifiers (visibility_modifier) @private) ["val" "var"] . (identifier) @name) @def.field (#eq? @private "private"))
((function_declaration (modifiers (visibility_modifier) @private) name: (identifier) @name) @def.function
  (#eq? @private "private") (#not-eq? @name ""))
((function_declaration (modifiers (visibility_modifier) @private) (user_type (identifier) @name .) . name: (MISSING identifier)) @def.method
  (#eq? @private "private"))
((property_declaration (modifiers (visibility_modifier) @private) (variable_declaration (identifier) @name)) @def.variable
  (#eq? @private "private"))

; Names that functions bind. A class is a scope for its type parameters and for the parameters of its
; constructor, which its initialisers read.
[(class_declaration) (type_alias) (anonymous_initializer) (lambda_literal) (anonymous_function) (getter) (setter)] @scope
((class_parameter (identifier) @param . (_) @type) @_parameter (#not-match? @_parameter "^[^:]*\\b(val|var)\\s"))
(function_value_parameters (parameter . (identifier) @param . (_) @type))
(lambda_parameters (variable_declaration (identifier) @param . (_)? @type))
(setter (identifier) @param)
(type_parameter (identifier) @local)
(multi_variable_declaration (variable_declaration (identifier) @local . (_)? @type))
(for_statement (variable_declaration (identifier) @local . (_)? @type) . "in" . (_) @elements)
(when_subject (variable_declaration (identifier) @local) (_) @value)
(catch_block . (identifier) @local . (_) @type)
([
  (block (property_declaration (variable_declaration (identifier) @local . (_)? @type)))
  (lambda_literal (property_declaration (variable_declaration (identifier) @local . (_)? @type)))
])
([
  (block (property_declaration (variable_declaration (identifier) @local . (_)? @type) "=" . (_) @value))
  (lambda_literal (property_declaration (variable_declaration (identifier) @local . (_)? @type) "=" . (_) @value))
])

; Imports
((import (qualified_identifier . ((identifier) @module . ".")+ . (identifier) @name .) .) @import (#not-match? @import "[*]"))
(import (qualified_identifier . ((identifier) @module . ".")+ . (identifier) @name .) (identifier) @alias) @import
((import (qualified_identifier . (identifier) @name .) .) @import (#not-match? @import "[*]"))
(import (qualified_identifier . (identifier) @name .) (identifier) @alias) @import
((import (qualified_identifier) @module "*") @import (#set! name "*"))

; Bases
(delegation_specifier [
  (user_type . (identifier) @ref.inherit . (type_arguments)? .)
  (user_type (identifier) @receiver . (identifier) @ref.inherit . (type_arguments)? .)
  (constructor_invocation (user_type . (identifier) @ref.inherit . (type_arguments)? .))
  (constructor_invocation (user_type (identifier) @receiver . (identifier) @ref.inherit . (type_arguments)? .))
  (explicit_delegation (user_type . (identifier) @ref.inherit . (type_arguments)? .))
  (explicit_delegation (user_type (identifier) @receiver . (identifier) @ref.inherit . (type_arguments)? .))
])

; Calls
(call_expression . (identifier) @name (value_arguments)? @args) @call
(call_expression . (navigation_expression . (_) @receiver (identifier) @name .) (value_arguments)? @args) @call
(infix_expression . (_) @receiver . (identifier) @name . (_)) @call

; Other names
((user_type . (identifier) @ref.type)
  (#not-any-of? @ref.type
    "Any" "Boolean" "Byte" "Char" "Double" "Float" "Int" "Long" "Nothing" "Short" "String" "UByte" "UInt" "ULong" "UShort" "Unit"))
(user_type (identifier) @receiver . (identifier) @ref.type)
(callable_reference (identifier) @ref.use)
((navigation_expression . (_) @receiver (identifier) @ref.use .) (#not-eq? @ref.use "class"))
((primary_expression/identifier) @ref.use (#not-any-of? @ref.use "null" "true" "false" "it" "field" "_"))
