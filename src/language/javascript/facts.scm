; JavaScript's own, before ../script/facts.scm.

(class_body (field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method)
(class_body (field_definition property: (_) @name value: (_)? @value) @def.field)
(class_body (field_definition property: (_) @name value: (new_expression constructor: (_) @type)) @def.field)
(class_body (field_definition property: (private_property_identifier) @name @private) @def.field)
(export_statement (_ body: (class_body (field_definition property: (property_identifier) @name) @def.field @exported)))

((variable_declarator name: (identifier) @local value: (_)? @value) (#not-match? @value "^(await )?(require|import)\\("))
(formal_parameters (identifier) @param)
(formal_parameters (assignment_pattern left: (identifier) @param))
(formal_parameters (rest_pattern (identifier) @param))
(formal_parameters (assignment_pattern left: (object_pattern (shorthand_property_identifier_pattern) @param)))

(class_heritage (identifier) @ref.inherit)
(class_heritage (member_expression object: (_) @receiver property: (_) @ref.inherit))
