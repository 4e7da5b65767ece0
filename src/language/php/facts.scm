; PHP. The captures are explained in ../treesitter/README.md.
;
; Variables keep their `$`, as parameters, locals and receivers alike: without it a local `$count` would
; hide the function `count`. Properties are named without it, because `$this->name` reads them so.

(comment) @comment
(namespace_definition name: (namespace_name) @package !body)

; Definitions
(namespace_definition name: (namespace_name) @name body: (compound_statement) @body) @def.namespace
(class_declaration name: (name) @name body: (_) @body) @def.class
(interface_declaration name: (name) @name body: (_) @body) @def.interface
(trait_declaration name: (name) @name body: (_) @body) @def.trait
(enum_declaration name: (name) @name body: (_) @body) @def.enum
(enum_case name: (name) @name) @def.enumMember
(function_definition name: (name) @name return_type: (_)? @type body: (_) @body) @def.function
((method_declaration name: (name) @name body: (_)? @body) @def.constructor (#any-of? @name "__construct"))
(method_declaration name: (name) @name return_type: (_)? @type body: (_)? @body) @def.method
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name)) (property_hook_list) @body) @def.property
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name))) @def.field
(property_promotion_parameter type: (_)? @type name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]) @def.field
(const_declaration type: (_)? @type (const_element . (name) @name)) @def.constant
((function_call_expression function: (name) @_define arguments: (arguments . (argument (string) @name))) @def.constant
  (#eq? @_define "define"))
((program (expression_statement (assignment_expression
  left: (variable_name) @name
  right: [(object_creation_expression [(name) (qualified_name)] @type) (_) @value]) @def.variable)))

((method_declaration (visibility_modifier) @private name: (name) @name) @def.method (#eq? @private "private"))
((property_declaration (visibility_modifier) @private (property_element name: (variable_name (name) @name))) @def.field
  (#eq? @private "private"))
((property_promotion_parameter visibility: (visibility_modifier) @private name: (variable_name (name) @name)) @def.field
  (#eq? @private "private"))
((const_declaration (visibility_modifier) @private (const_element . (name) @name)) @def.constant (#eq? @private "private"))

; Names that functions bind
[(anonymous_function) (arrow_function) (property_hook)] @scope
(simple_parameter type: (_)? @type name: (variable_name) @param)
(variadic_parameter type: (_)? @type name: (variable_name) @param)
(property_promotion_parameter type: (_)? @type name: [(variable_name) @param (by_ref (variable_name) @param)])
(assignment_expression left: (variable_name) @local right: (_) @value)
(assignment_expression left: (variable_name) @local right: (object_creation_expression [(name) (qualified_name)] @type) @value)
(reference_assignment_expression left: (variable_name) @local right: (_) @value)
(augmented_assignment_expression left: (variable_name) @local)
(list_literal (variable_name) @local)
(list_literal (by_ref (variable_name) @local))
(foreach_statement . (_) @elements . [(variable_name) @local (by_ref (variable_name) @local)])
(foreach_statement . (_) @elements . (pair (_) [(variable_name) @local (by_ref (variable_name) @local)]))
(foreach_statement . (_) . (pair . (variable_name) @local))
(foreach_statement . (_) . (list_literal (variable_name) @local))
(static_variable_declaration name: (variable_name) @local value: (_)? @value)
(catch_clause type: (_) @type name: (variable_name) @local)

; Imports
(namespace_use_declaration (namespace_use_clause !type . (name) @name alias: (name)? @alias)) @import
(namespace_use_declaration
  (namespace_use_clause !type . (qualified_name prefix: (namespace_name)? @module (name) @name) alias: (name)? @alias)) @import
((namespace_use_declaration
  (namespace_use_clause type: "function" . [(name) @name (qualified_name prefix: (namespace_name)? @module (name) @name)] alias: (name)? @alias)) @import
  (#set! style "function"))
((namespace_use_declaration
  (namespace_use_clause type: "const" . [(name) @name (qualified_name prefix: (namespace_name)? @module (name) @name)] alias: (name)? @alias)) @import
  (#set! style "const"))
(namespace_use_declaration !type (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause !type . [(name) (qualified_name)] @name alias: (name)? @alias))) @import
((namespace_use_declaration (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause type: "function" . [(name) (qualified_name)] @name alias: (name)? @alias))) @import
  (#set! style "function"))
((namespace_use_declaration (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause type: "const" . [(name) (qualified_name)] @name alias: (name)? @alias))) @import
  (#set! style "const"))
((namespace_use_declaration type: "function" (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause . [(name) (qualified_name)] @name alias: (name)? @alias))) @import
  (#set! style "function"))
((namespace_use_declaration type: "const" (namespace_name) @module
  body: (namespace_use_group (namespace_use_clause . [(name) (qualified_name)] @name alias: (name)? @alias))) @import
  (#set! style "const"))
((include_expression [
  (string) @module (encapsed_string) @module (binary_expression right: (string) @module)
  (parenthesized_expression [(string) @module (binary_expression right: (string) @module)])]) @import (#set! style "include"))
((include_once_expression [
  (string) @module (encapsed_string) @module (binary_expression right: (string) @module)
  (parenthesized_expression [(string) @module (binary_expression right: (string) @module)])]) @import (#set! style "include_once"))
((require_expression [
  (string) @module (encapsed_string) @module (binary_expression right: (string) @module)
  (parenthesized_expression [(string) @module (binary_expression right: (string) @module)])]) @import (#set! style "require"))
((require_once_expression [
  (string) @module (encapsed_string) @module (binary_expression right: (string) @module)
  (parenthesized_expression [(string) @module (binary_expression right: (string) @module)])]) @import (#set! style "require_once"))

; Bases
(base_clause [(name) @ref.inherit (qualified_name prefix: (namespace_name)? @receiver (name) @ref.inherit)])
(class_interface_clause [(name) @ref.inherit (qualified_name prefix: (namespace_name)? @receiver (name) @ref.inherit)])
(use_declaration [(name) @ref.inherit (qualified_name prefix: (namespace_name)? @receiver (name) @ref.inherit)])

; Calls
((function_call_expression function: (name) @name arguments: (arguments) @args) @call (#not-eq? @name "define"))
(function_call_expression
  function: (qualified_name prefix: (namespace_name)? @receiver (name) @name) arguments: (arguments) @args) @call
(member_call_expression object: (_) @receiver name: (name) @name arguments: (arguments) @args) @call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name arguments: (arguments) @args) @call
(scoped_call_expression scope: (_) @receiver name: (name) @name arguments: (arguments) @args) @call
((object_creation_expression . (name) @name (arguments)? @args) @call (#not-any-of? @name "self" "static" "parent"))
(object_creation_expression . (qualified_name prefix: (namespace_name)? @receiver (name) @name) (arguments)? @args) @call

; Pieces in another language: `<<<SQL`
((heredoc identifier: (heredoc_start) @language value: (heredoc_body) @embedded)
  (#any-of? @language "SQL" "HTML" "JSON" "YAML" "CSS" "JS" "XML" "GRAPHQL"))
((nowdoc identifier: (heredoc_start) @language value: (nowdoc_body) @embedded)
  (#any-of? @language "SQL" "HTML" "JSON" "YAML" "CSS" "JS" "XML" "GRAPHQL"))

; Other names
((named_type [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)])
  (#not-any-of? @ref.type "self" "static" "parent" "never"))
(attribute [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)])
((binary_expression operator: "instanceof"
  right: [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)])
  (#not-any-of? @ref.type "self" "static" "parent"))
(scoped_call_expression scope: [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)])
(scoped_property_access_expression scope: [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)])
(class_constant_access_expression . [(name) @ref.type (qualified_name prefix: (namespace_name)? @receiver (name) @ref.type)] . (_))
((class_constant_access_expression . (_) @receiver . (name) @ref.use) (#not-eq? @ref.use "class"))
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @ref.use))
(member_access_expression object: (_) @receiver name: (name) @ref.use)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @ref.use)
(primary_expression/qualified_name prefix: (namespace_name)? @receiver (name) @ref.use)
; A variable that no function binds is a global one. The `$name` of a property is no variable, so not
; every node of that kind is a use.
([
  (primary_expression/variable_name) @ref.use
  (_ object: (variable_name) @ref.use)
  (_ left: (variable_name) @ref.use)
  (_ scope: (variable_name) @ref.use)
  (update_expression argument: (variable_name) @ref.use)
  (subscript_expression . (variable_name) @ref.use)
  (by_ref (variable_name) @ref.use)
  (encapsed_string (variable_name) @ref.use)
  (heredoc_body (variable_name) @ref.use)
  (global_declaration (variable_name) @ref.use)
] (#not-eq? @ref.use "$this"))
((primary_expression/name) @ref.use
  (#not-any-of? @ref.use "__DIR__" "__FILE__" "__LINE__" "__CLASS__" "__FUNCTION__" "__METHOD__" "__NAMESPACE__" "__TRAIT__"))
