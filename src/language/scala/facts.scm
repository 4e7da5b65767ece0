; Scala 2 and 3. The captures are explained in ../treesitter/README.md.

[(comment) (block_comment)] @comment
; Of several package clauses in a row the first is kept, which is a package whatever the others add.
(compilation_unit . [(comment) (block_comment)]* . (package_clause name: (_) @package !body))

; Definitions
(package_clause name: (_) @name body: (_) @body) @def.namespace
(class_definition name: (_) @name body: (_)? @body) @def.class
(object_definition name: (_) @name body: (_)? @body) @def.object
(package_object name: (_) @name body: (_)? @body) @def.object
(trait_definition name: (_) @name body: (_)? @body) @def.trait
(enum_definition name: (_) @name body: (_)? @body) @def.enum
(simple_enum_case name: (_) @name) @def.enumMember
(full_enum_case name: (_) @name) @def.enumMember
(type_definition name: (_) @name type: (_)? @type) @def.type
; A given without a name goes by its type.
(given_definition name: (_) @name return_type: (_)? @type body: (with_template_body) @body) @def.object
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @def.object
(given_definition name: (_) @name return_type: (_)? @type) @def.variable
(given_definition !name return_type: (_) @name @type) @def.variable

((function_definition name: (_) @name body: (_)? @body) @def.constructor (#eq? @name "this"))
; Anonymous classes, givens and enums are types too.
([
  (template_body (function_definition name: (_) @name) @def.method)
  (with_template_body (function_definition name: (_) @name) @def.method)
  (enum_body (function_definition name: (_) @name) @def.method)
  (template_body (function_declaration name: (_) @name) @def.method)
])
(extension_definition
  parameters: (parameters . (parameter type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (stable_type_identifier (type_identifier) @container)]))
  (function_definition name: (_) @name) @def.method)
(function_definition name: (_) @name return_type: (_)? @type body: (_)? @body) @def.function
(function_declaration name: (_) @name return_type: (_)? @type) @def.function

([
  (compilation_unit (val_definition pattern: (identifier) @name) @def.constant)
  (template_body (val_definition pattern: (identifier) @name) @def.constant)
] (#match? @name "^[A-Z]"))
(compilation_unit [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
  (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
] @def.variable)
([
  (template_body [
    (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
    (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
    (val_definition pattern: (tuple_pattern (identifier) @name))
    (val_definition pattern: (case_class_pattern (identifier) @name))
    (val_declaration name: (_) @name type: (_)? @type)
    (var_declaration name: (_) @name type: (_)? @type)
  ] @def.field)
  (with_template_body [
    (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
    (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
  ] @def.field)
  (enum_body [
    (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
    (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)] type: (_)? @type value: (_)? @value)
  ] @def.field)
])
([
  (compilation_unit [
    (val_definition pattern: (identifier) @name !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type))
    (var_definition pattern: (identifier) @name !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type))
  ] @def.variable)
  (template_body [
    (val_definition pattern: (identifier) @name !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type))
    (var_definition pattern: (identifier) @name !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type))
  ] @def.field)
])
(class_definition "case" (class_parameters (class_parameter name: (_) @name type: (_)? @type) @def.field))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (_) @name type: (_)? @type) @def.field))
(class_parameter ["val" "var"] name: (_) @name type: (_)? @type) @def.field

; `private[package]` is seen by the files of that package.
([
  (class_definition (modifiers (access_modifier) @private) name: (_) @name)
  (object_definition (modifiers (access_modifier) @private) name: (_) @name)
  (trait_definition (modifiers (access_modifier) @private) name: (_) @name)
  (enum_definition (modifiers (access_modifier) @private) name: (_) @name)
  (type_definition (modifiers (access_modifier) @private) name: (_) @name)
  (given_definition (modifiers (access_modifier) @private) name: (_) @name)
  (function_definition (modifiers (access_modifier) @private) name: (_) @name)
  (function_declaration (modifiers (access_modifier) @private) name: (_) @name)
  (val_definition (modifiers (access_modifier) @private) pattern: [(identifier) @name (identifiers (identifier) @name)])
  (var_definition (modifiers (access_modifier) @private) pattern: [(identifier) @name (identifiers (identifier) @name)])
  (class_parameter (modifiers (access_modifier) @private) name: (_) @name)
] @def.variable (#any-of? @private "private" "private[this]"))

; Names that functions bind. A class is a scope for its type parameters and for the parameters of its
; constructor that are no members.
[
  (class_definition) (trait_definition) (enum_definition) (type_definition) (given_definition) (extension_definition)
  (lambda_expression) (for_expression) (case_clause) (block) (indented_block) (colon_argument)
] @scope
(parameters (parameter name: (_) @param type: (_)? @type))
((class_definition (class_parameters (class_parameter name: (_) @param type: (_)? @type) @_parameter)) @_class
  (#not-match? @_class "^[^(]*\\bcase\\s+class\\b")
  (#not-match? @_parameter "^[^:]*\\b(val|var)\\s"))
(lambda_expression parameters: (identifier) @param)
(colon_argument lambda_start: (identifier) @param)
(bindings (binding name: (_) @param type: (_)? @type))
(type_parameters name: (_) @local)
(self_type . (identifier) @local)
(enumerator . (identifier) @local)
(enumerator . (identifier) @local "<-" . (_) @elements)
(enumerator . (identifier) @local "=" . (_) @value)
(enumerator (typed_pattern pattern: (identifier) @local type: (_) @type))
([
  (block [(val_definition pattern: (identifier) @local type: (_)? @type value: (_) @value) (var_definition pattern: (identifier) @local type: (_)? @type value: (_) @value)])
  (indented_block [(val_definition pattern: (identifier) @local type: (_)? @type value: (_) @value) (var_definition pattern: (identifier) @local type: (_)? @type value: (_) @value)])
  (case_clause body: [(val_definition pattern: (identifier) @local type: (_)? @type value: (_) @value) (var_definition pattern: (identifier) @local type: (_)? @type value: (_) @value)])
  (lambda_expression [(val_definition pattern: (identifier) @local type: (_)? @type value: (_) @value) (var_definition pattern: (identifier) @local type: (_)? @type value: (_) @value)])
])
([
  (block [
    (val_definition pattern: (identifier) @local !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type) @value)
    (var_definition pattern: (identifier) @local !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type) @value)])
  (indented_block [
    (val_definition pattern: (identifier) @local !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type) @value)
    (var_definition pattern: (identifier) @local !type value: (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @type) @value)])
])
; A small name in a pattern is bound, a capital one is looked up.
([
  (case_clause pattern: (identifier) @local)
  (tuple_pattern (identifier) @local)
  (case_class_pattern (identifier) @local)
  (infix_pattern left: (identifier) @local)
  (infix_pattern right: (identifier) @local)
] (#match? @local "^[a-z_]"))
(typed_pattern pattern: (identifier) @local type: (_) @type)
(capture_pattern name: (identifier) @local)
; The name of a named argument is the parameter's.
(arguments (assignment_expression left: (identifier) @local) @scope)

; Imports. A path has no node of its own; a comma starts the next one.
(import_declaration ["import" ","] . ((identifier) @module . ".")+ . (identifier) @name .) @import
(import_declaration ["import" ","] . ((identifier) @module . ".")+ . (identifier) @name . ",") @import
(import_declaration ["import" ","] . ((identifier) @module . ".")+ . [
  (as_renamed_identifier name: (_) @name alias: (identifier) @alias)
  (arrow_renamed_identifier name: (_) @name alias: (identifier) @alias)
  (namespace_selectors (identifier) @name)
  (namespace_selectors (as_renamed_identifier name: (_) @name alias: (identifier) @alias))
  (namespace_selectors (arrow_renamed_identifier name: (_) @name alias: (identifier) @alias))]) @import
((import_declaration ["import" ","] . ((identifier) @module . ".")+ . [
  (namespace_wildcard) @name
  (namespace_selectors (namespace_wildcard) @name)]) @import
  (#eq? @name "*"))
((import_declaration ["import" ","] . ((identifier) @module . ".")+ . [
  (namespace_wildcard) @_all
  (namespace_selectors (namespace_wildcard) @_all)]) @import
  (#eq? @_all "_") (#set! name "*"))
((import_declaration ["import" ","] . ((identifier) @module . ".")+ . [
  (namespace_wildcard) @_all
  (namespace_selectors (namespace_wildcard) @_all)]) @import
  (#eq? @_all "given") (#set! name "*") (#set! style "given"))
(export_declaration "export" . ((identifier) @module . ".")+ . (identifier) @name .) @export
(export_declaration "export" . ((identifier) @module . ".")+ . [
  (namespace_selectors (identifier) @name)
  (namespace_selectors (as_renamed_identifier name: (_) @name alias: (identifier) @alias))
  (namespace_selectors (arrow_renamed_identifier name: (_) @name alias: (identifier) @alias))]) @export
((export_declaration "export" . ((identifier) @module . ".")+ . [
  (namespace_wildcard)
  (namespace_selectors (namespace_wildcard))]) @export (#set! name "*"))

; Bases
(extends_clause [
  (type_identifier) @ref.inherit
  (generic_type type: (type_identifier) @ref.inherit)
  (stable_type_identifier . (_) @receiver (type_identifier) @ref.inherit .)
  (generic_type type: (stable_type_identifier . (_) @receiver (type_identifier) @ref.inherit .))
  (compound_type base: (type_identifier) @ref.inherit)
  (compound_type extra: (type_identifier) @ref.inherit)
  (compound_type base: (generic_type type: (type_identifier) @ref.inherit))
  (compound_type extra: (generic_type type: (type_identifier) @ref.inherit))
])
(given_definition return_type: [(type_identifier) @ref.inherit (generic_type type: (type_identifier) @ref.inherit)] body: (with_template_body))
(instance_expression (compound_type [base: (type_identifier) @ref.inherit extra: (type_identifier) @ref.inherit]))

; Calls
((call_expression function: [(identifier) @name (generic_function function: (identifier) @name)]
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
  (#not-any-of? @name "this" "super"))
(call_expression function: [
  (field_expression value: (_) @receiver field: (_) @name)
  (generic_function function: (field_expression value: (_) @receiver field: (_) @name))]
  arguments: [(arguments) @args (block) (case_block) (colon_argument)]) @call
(infix_expression left: (_) @receiver operator: (identifier) @name) @call
(instance_expression . [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (stable_type_identifier . (_) @receiver (type_identifier) @name .)
  (generic_type type: (stable_type_identifier . (_) @receiver (type_identifier) @name .))]
  arguments: (arguments)? @args) @call

; Other names
(stable_type_identifier . (_) @receiver (type_identifier) @ref.type .)
((type_identifier) @ref.type
  (#not-any-of? @ref.type
    "Any" "AnyRef" "AnyVal" "Boolean" "Byte" "Char" "Double" "Float" "Int" "Long" "Nothing" "Null" "Short" "String" "Unit" "_" "?"))
(stable_identifier . (_) @receiver (identifier) @ref.use .)
(field_expression value: (_) @receiver field: (identifier) @ref.use)
([
  (expression/identifier) @ref.use
  (field_expression value: (identifier) @ref.use)
  (stable_identifier . (identifier) @ref.use)
  (stable_type_identifier . (identifier) @ref.use)
  (infix_expression left: (identifier) @ref.use)
  (infix_expression right: (identifier) @ref.use)
  (prefix_expression (identifier) @ref.use)
  (postfix_expression . (identifier) @ref.use)
  (match_expression value: (identifier) @ref.use)
  (assignment_expression left: (identifier) @ref.use)
  (ascription_expression . (identifier) @ref.use)
  (interpolation (identifier) @ref.use)
  (alternative_pattern (identifier) @ref.use)
  (case_clause pattern: (identifier) @ref.use)
  (tuple_pattern (identifier) @ref.use)
  (case_class_pattern (identifier) @ref.use)
  (infix_pattern left: (identifier) @ref.use)
  (infix_pattern right: (identifier) @ref.use)
] (#not-any-of? @ref.use "this" "super"))
