; TypeScript's own, before ../script/facts.scm. A pattern without a name adds to one of there.

; Types of functions and variables that are defined there
(program (function_declaration name: (_) @name return_type: (_) @type) @def.function)
(statement_block (function_declaration name: (_) @name return_type: (_) @type) @def.function)
(export_statement declaration: (function_declaration name: (_) @name return_type: (_) @type)) @def.function
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function return_type: (_) @type))) @def.function)
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function return_type: (_) @type)))) @def.function
(program (_ (variable_declarator name: (identifier) @name type: (_) @type !value)) @def.variable)
(export_statement declaration: (_ (variable_declarator name: (identifier) @name type: (_) @type !value))) @def.variable
(program (lexical_declaration (variable_declarator name: (identifier) @name type: (_) @type value: [(call_expression) (new_expression) (object) (array) (identifier)])) @def.constant)
(class_body (method_definition return_type: (_) @type) @def.method)

; Declarations without a body
(program (function_signature name: (_) @name return_type: (_)? @type) @def.function)
(statement_block (function_signature name: (_) @name return_type: (_)? @type) @def.function)
(export_statement declaration: (function_signature name: (_) @name return_type: (_)? @type)) @def.function @exported
(program (ambient_declaration (function_signature name: (_) @name return_type: (_)? @type)) @def.function)
(export_statement declaration: (ambient_declaration (function_signature name: (_) @name return_type: (_)? @type))) @def.function @exported
(program (ambient_declaration (_ (variable_declarator name: (identifier) @name type: (_)? @type))) @def.variable)
(export_statement declaration: (ambient_declaration (_ (variable_declarator name: (identifier) @name type: (_)? @type)))) @def.variable @exported
(program (ambient_declaration (class_declaration name: (_) @name body: (_) @body)) @def.class)
(export_statement declaration: (ambient_declaration (class_declaration name: (_) @name body: (_) @body))) @def.class @exported
(class_body (method_signature name: (_) @name return_type: (_)? @type) @def.method)
(class_body (abstract_method_signature name: (_) @name return_type: (_)? @type) @def.method)

(program (abstract_class_declaration name: (_) @name body: (_) @body) @def.class)
(export_statement declaration: (abstract_class_declaration name: (_) @name body: (_) @body)) @def.class @exported

; Fields
(class_body (public_field_definition name: (_) @name value: [(arrow_function return_type: (_)? @type body: (_) @body) (function_expression body: (_) @body)]) @def.method)
(class_body (public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @def.field)
(class_body (public_field_definition name: (_) @name !type value: (new_expression constructor: (_) @type)) @def.field)
(class_body (public_field_definition name: (private_property_identifier) @name @private) @def.field)
((class_body (public_field_definition (accessibility_modifier) @private name: (_) @name) @def.field) (#eq? @private "private"))
((class_body (method_definition (accessibility_modifier) @private) @def.method) (#eq? @private "private"))
(export_statement (_ body: (class_body (public_field_definition . name: (property_identifier) @name) @def.field @exported)))
(export_statement (_ body: (class_body (abstract_method_signature) @def.method @exported)))
((formal_parameters (required_parameter (accessibility_modifier) pattern: (identifier) @name type: (_)? @type) @def.field))
(class_body decorator: (decorator) @prefix)

; Types
(program (interface_declaration name: (_) @name body: (_) @body) @def.interface)
(statement_block (interface_declaration name: (_) @name body: (_) @body) @def.interface)
(export_statement declaration: (interface_declaration name: (_) @name body: (_) @body)) @def.interface @exported
(interface_body (property_signature name: (_) @name type: (_)? @type) @def.field)
(interface_body (method_signature name: (_) @name return_type: (_)? @type) @def.method)
(export_statement (interface_declaration body: (interface_body (_ name: (_) @name) @def.field @exported)))

(program (type_alias_declaration name: (_) @name value: (_) @type) @def.type)
(statement_block (type_alias_declaration name: (_) @name value: (_) @type) @def.type)
(export_statement declaration: (type_alias_declaration name: (_) @name value: (_) @type)) @def.type @exported
(type_alias_declaration value: (object_type (property_signature name: (_) @name type: (_)? @type) @def.field))
(type_alias_declaration value: (object_type (method_signature name: (_) @name return_type: (_)? @type) @def.field))

(program (enum_declaration name: (_) @name body: (_) @body) @def.enum)
(statement_block (enum_declaration name: (_) @name body: (_) @body) @def.enum)
(export_statement declaration: (enum_declaration name: (_) @name body: (_) @body)) @def.enum @exported
(export_statement (enum_declaration body: (enum_body (property_identifier) @name @def.enumMember @exported)))
(export_statement (enum_declaration body: (enum_body (enum_assignment name: (_) @name) @def.enumMember @exported)))
(enum_body (property_identifier) @name @def.enumMember)
(enum_body (enum_assignment name: (_) @name) @def.enumMember)

; Namespaces
(program (expression_statement (internal_module name: (_) @name body: (_) @body)) @def.namespace)
(export_statement declaration: (internal_module name: (_) @name body: (_) @body)) @def.namespace @exported
(program (ambient_declaration (module name: (_) @name body: (_) @body)) @def.namespace @exported)
(program (ambient_declaration (internal_module name: (_) @name body: (_) @body)) @def.namespace @exported)
(internal_module body: (statement_block (export_statement declaration: (_ (variable_declarator name: (identifier) @name type: (_)? @type))) @def.variable @exported))

; Names that functions and types bind
(class_declaration) @scope
(interface_declaration) @scope
(type_alias_declaration) @scope
(function_type) @scope
(type_parameter name: (_) @local)
(mapped_type_clause name: (_) @local)
(infer_type . (type_identifier) @local)
(required_parameter pattern: (identifier) @param type: (_)? @type)
(optional_parameter pattern: (identifier) @param type: (_)? @type)
(required_parameter pattern: (rest_pattern (identifier) @param) type: (_)? @type)
(required_parameter pattern: (object_pattern (shorthand_property_identifier_pattern) @param))
(required_parameter pattern: (object_pattern (object_assignment_pattern (shorthand_property_identifier_pattern) @param)))
(required_parameter pattern: (object_pattern (pair_pattern value: (identifier) @param)))
(required_parameter pattern: (array_pattern (identifier) @param))
((variable_declarator name: (identifier) @local type: (_)? @type value: (_)? @value) (#not-match? @value "^(await )?(require|import)\\("))

; Imports and exports
((import_statement (import_require_clause (identifier) @alias source: (string (string_fragment) @module))) @import (#set! style "require"))
((import_statement "type" (import_clause (named_imports (import_specifier name: (_) @name alias: (_)? @alias))) source: (string (string_fragment) @module)) @import (#set! style "type"))
((import_statement (import_clause (named_imports (import_specifier "type" name: (_) @name alias: (_)? @alias))) source: (string (string_fragment) @module)) @import (#set! style "type"))
((export_statement (export_clause (export_specifier "type" name: (_) @name alias: (_)? @alias)) !source) @export (#set! style "type"))
((import_alias (identifier) @alias (nested_identifier object: (_) @module property: (_) @name)) @import (#set! style "alias"))
((export_statement "=" (identifier) @name) @export (#set! style "assign"))
((export_statement "as" "namespace" (identifier) @alias) @export (#set! name "*") (#set! style "namespace"))

; Bases
(extends_clause value: (identifier) @ref.inherit)
(extends_clause value: (member_expression object: (_) @receiver property: (_) @ref.inherit))
(implements_clause [
  (type_identifier) @ref.inherit
  (generic_type name: (type_identifier) @ref.inherit)
  (nested_type_identifier module: (_) @receiver name: (_) @ref.inherit)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @ref.inherit))
])
(extends_type_clause type: [
  (type_identifier) @ref.inherit
  (generic_type name: (type_identifier) @ref.inherit)
  (nested_type_identifier module: (_) @receiver name: (_) @ref.inherit)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @ref.inherit))
])

; Types
(nested_type_identifier module: (_) @receiver name: (_) @ref.type)
((type_identifier) @ref.type (#not-any-of? @ref.type "const" "bigint"))
