; What JavaScript and TypeScript have in common; their own queries stand before this one. The captures
; are explained in ../treesitter/README.md.
; The front end in this folder reads all files that have no fault; these queries read the others.

(comment) @comment

; Functions. One that is exported starts at its `export`.
(program [
  (function_declaration name: (_) @name body: (_) @body)
  (generator_function_declaration name: (_) @name body: (_) @body)
] @def.function)
(statement_block [
  (function_declaration name: (_) @name body: (_) @body)
  (generator_function_declaration name: (_) @name body: (_) @body)
] @def.function)
(export_statement declaration: [
  (function_declaration name: (_) @name body: (_) @body)
  (generator_function_declaration name: (_) @name body: (_) @body)
]) @def.function @exported
(export_statement "default" @name value: [
  (function_expression !name body: (_) @body)
  (generator_function !name body: (_) @body)
  (arrow_function body: (_) @body)
]) @def.function @exported

; Functions and classes that are values of the module's variables
(program [
  (lexical_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
  (variable_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
] @def.function)
(export_statement declaration: [
  (lexical_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
  (variable_declaration (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]))
]) @def.function @exported
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @def.class)
(program (variable_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @def.class)
(export_statement declaration: (_ (variable_declarator name: (identifier) @name value: (class body: (_) @body)))) @def.class @exported

; Classes
(program (class_declaration name: (_) @name body: (_) @body) @def.class)
(statement_block (class_declaration name: (_) @name body: (_) @body) @def.class)
(export_statement declaration: (class_declaration name: (_) @name body: (_) @body)) @def.class @exported
(export_statement "default" @name value: (class !name body: (_) @body)) @def.class @exported

; Members
((class_body (method_definition name: (_) @name body: (_) @body) @def.constructor) (#eq? @name "constructor"))
(class_body (method_definition ["get" "set"] name: (_) @name body: (_) @body) @def.property)
(class_body (method_definition name: (_) @name body: (_) @body) @def.method)
(class_body (method_definition name: (private_property_identifier) @name @private) @def.method)
(export_statement (_ body: (class_body (method_definition name: [(property_identifier) (string) (computed_property_name)] @name) @def.method @exported)))

; Functions in the objects of the module's variables
(program (_ (variable_declarator value: (object [
  (method_definition name: (_) @name body: (_) @body) @def.method
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method
]))))
(export_statement (_ (variable_declarator value: (object [
  (method_definition name: (_) @name body: (_) @body) @def.method @exported
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method @exported
]))))
(export_statement value: (object [
  (method_definition name: (_) @name body: (_) @body) @def.method @exported
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method @exported
]))
((expression_statement (assignment_expression left: (member_expression) @exported right: (object [
  (method_definition name: (_) @name body: (_) @body) @def.function
  (pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.function
]))) (#eq? @exported "module.exports"))

; Assignments that define
((expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @exported property: (_) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @def.function
  (#any-of? @exported "exports" "module.exports"))
((expression_statement (assignment_expression left: (member_expression) @name @exported
  right: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)])) @def.function
  (#eq? @name "module.exports"))
((expression_statement (assignment_expression left: (member_expression) @exported
  right: (function_expression name: (_) @name body: (_) @body))) @def.function (#eq? @exported "module.exports"))
((expression_statement (assignment_expression left: (member_expression) @exported
  right: (class name: (_) @name body: (_) @body))) @def.class (#eq? @exported "module.exports"))
((expression_statement (assignment_expression
  left: (member_expression object: (member_expression object: (_) @container property: (_) @_prototype) property: (_) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @def.method
  (#eq? @_prototype "prototype"))
((program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @container property: (_) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @def.method)
  (#not-any-of? @container "exports" "module"))

; Variables
((program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_)? @value)) @def.constant)
  (#not-match? @value "^(await )?(require|import)\\("))
((program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: (_)? @value)) @def.variable)
  (#not-match? @value "^(await )?(require|import)\\("))
((program (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value)) @def.variable)
  (#not-match? @value "^(await )?(require|import)\\("))
(export_statement declaration: (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (_)? @value))) @def.constant @exported
(export_statement declaration: (_ (variable_declarator name: (identifier) @name value: (_)? @value))) @def.variable @exported
(export_statement "default" @name value: [(object) (array) (call_expression) (new_expression) (string) (number) (template_string)] @value) @def.constant @exported
(program (_ (variable_declarator name: (identifier) @name value: (new_expression constructor: [(identifier) (member_expression)] @type))) @def.variable)
(export_statement declaration: (_ (variable_declarator name: (identifier) @name value: (new_expression constructor: [(identifier) (member_expression)] @type)))) @def.variable

; Names that functions bind
(arrow_function) @scope
(function_expression) @scope
(generator_function) @scope
(method_definition) @scope
(catch_clause) @scope
(for_in_statement kind: ["const" "let"]) @scope
(for_statement initializer: (lexical_declaration)) @scope
(class_static_block) @scope
(arrow_function parameter: (identifier) @param)
(formal_parameters (_ (shorthand_property_identifier_pattern) @param))
(formal_parameters (_ (pair_pattern value: (identifier) @param)))
(function_expression name: (_) @local)
(variable_declarator name: (identifier) @local value: (new_expression constructor: [(identifier) (member_expression)] @type) @value)
((variable_declarator name: [
  (object_pattern (shorthand_property_identifier_pattern) @local)
  (object_pattern (object_assignment_pattern (shorthand_property_identifier_pattern) @local))
  (object_pattern (pair_pattern value: (identifier) @local))
  (object_pattern (pair_pattern value: (object_pattern (shorthand_property_identifier_pattern) @local)))
  (object_pattern (rest_pattern (identifier) @local))
  (array_pattern (identifier) @local)
  (array_pattern (assignment_pattern left: (identifier) @local))
  (array_pattern (rest_pattern (identifier) @local))
] value: (_)? @_value) (#not-match? @_value "^(await )?(require|import)\\("))
(for_in_statement kind: _ left: [
  (identifier) @local
  (object_pattern (shorthand_property_identifier_pattern) @local)
  (object_pattern (pair_pattern value: (identifier) @local))
  (array_pattern (identifier) @local)
])
(catch_clause parameter: [(identifier) @local (object_pattern (shorthand_property_identifier_pattern) @local)])

; Imports
((import_statement (import_clause (identifier) @alias) source: (string (string_fragment) @module)) @import (#set! name "default"))
((import_statement (import_clause (namespace_import (identifier) @alias)) source: (string (string_fragment) @module)) @import (#set! name "*"))
(import_statement (import_clause (named_imports (import_specifier name: (_) @name alias: (_)? @alias))) source: (string (string_fragment) @module)) @import
((import_statement . source: (string (string_fragment) @module)) @import (#set! style "effect"))
((call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))) @import (#set! style "dynamic"))
((call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module) .)) @import
  (#eq? @_require "require") (#set! style "require"))
((variable_declarator name: (identifier) @alias
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module) .))) @import
  (#eq? @_require "require") (#set! style "require"))
((variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern key: (_) @name value: (identifier) @alias)])
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @module) .))) @import
  (#eq? @_require "require") (#set! style "require"))
((variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern key: (_) @name value: (identifier) @alias)])
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))))) @import
  (#set! style "dynamic"))
((variable_declarator name: (identifier) @alias
  value: (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))))) @import
  (#set! name "*") (#set! style "dynamic"))

; A name that gets another one here is neither used nor bound
(import_specifier name: (_) @local alias: (_))
(export_specifier name: (_) @local alias: (_))
(export_statement "default" value: (identifier) @local)

; Exports
(export_statement (export_clause (export_specifier name: (_) @name alias: (_)? @alias)) !source) @export
(export_statement (export_clause (export_specifier name: (_) @name alias: (_)? @alias)) source: (string (string_fragment) @module)) @export
((export_statement "*" source: (string (string_fragment) @module)) @export (#set! name "*"))
((export_statement (namespace_export (_) @alias) source: (string (string_fragment) @module)) @export (#set! name "*"))
(export_statement "default" @alias value: (identifier) @name) @export
(export_statement "default" @alias declaration: (_ name: (_) @name)) @export
((assignment_expression left: (member_expression) @_module right: (identifier) @name) @export
  (#eq? @_module "module.exports") (#set! style "commonjs"))
((assignment_expression left: (member_expression) @_module right: (object [
    (shorthand_property_identifier) @name
    (pair key: (_) @alias value: (identifier) @name)])) @export
  (#eq? @_module "module.exports") (#set! style "commonjs"))
((assignment_expression left: (member_expression object: (_) @_module property: (_) @alias) right: (identifier) @name) @export
  (#any-of? @_module "exports" "module.exports") (#set! style "commonjs"))

; Calls
((call_expression function: (identifier) @name arguments: (arguments) @args) @call (#not-eq? @name "require"))
(call_expression function: (super) @name arguments: (arguments) @args) @call
(call_expression function: (member_expression object: (_) @receiver property: (_) @name) arguments: (arguments) @args) @call
(call_expression function: (parenthesized_expression (identifier) @name) arguments: (arguments) @args) @call
(call_expression function: (identifier) @name arguments: (template_string)) @call
(call_expression function: (member_expression object: (_) @receiver property: (_) @name) arguments: (template_string)) @call
(new_expression constructor: (identifier) @name arguments: (arguments)? @args) @call
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @name) arguments: (arguments)? @args) @call

; Other names
(member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @ref.use)
(shorthand_property_identifier) @ref.use
((identifier) @ref.use (#not-any-of? @ref.use "undefined" "NaN" "Infinity" "arguments" "module" "exports" "require"))
