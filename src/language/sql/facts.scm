; SQL. The captures are explained in ../treesitter/README.md.

[(comment) (marginalia)] @comment

; Tables and their columns
(create_table [(keyword_table) (keyword_exists)]
  . (object_reference schema: (identifier)? @container name: (identifier) @name)
  (column_definitions)? @body) @def.table
(create_table (column_definitions (column_definition name: (_) @name type: (_)? @type) @def.field))
(create_table (column_definitions (column_definition name: (_) @name custom_type: (_) @type) @def.field))
(alter_table (object_reference name: (identifier) @container)
  (add_column (column_definition name: (_) @name type: (_)? @type) @def.field))

; What else a database holds
(create_view [(keyword_view) (keyword_exists)]
  . (object_reference schema: (identifier)? @container name: (identifier) @name) (create_query) @body) @def.block
(create_materialized_view [(keyword_view) (keyword_exists)]
  . (object_reference schema: (identifier)? @container name: (identifier) @name) (create_query) @body) @def.block
(create_index column: (_) @name) @def.block
(create_trigger [(keyword_trigger) (keyword_exists)]
  . (object_reference schema: (identifier)? @container name: (identifier) @name)) @def.block
(create_sequence (object_reference name: (identifier) @name)) @def.block
(create_schema (identifier) @name) @def.block
(create_function (keyword_function)
  . (object_reference schema: (identifier)? @container name: (identifier) @name) (function_body)? @body) @def.function
(create_function (keyword_returns) . (_) @type) @def.function
(create_type (object_reference schema: (identifier)? @container name: (identifier) @name) (enum_elements) @body) @def.enum
(create_type (enum_elements enum_element: (literal) @name @def.enumMember))
(create_type (object_reference schema: (identifier)? @container name: (identifier) @name)) @def.type
(create_type (column_definitions (column_definition name: (_) @name type: (_)? @type) @def.field))

; Names that a statement binds
(statement) @scope
(function_argument . (identifier) @param . (_) @type)
(relation (object_reference name: (identifier) @type) alias: (identifier) @local)
(relation alias: (identifier) @local)
(cte . (identifier) @local)
(function_declaration . (identifier) @local)

; Where they are used
[
  (column_definition (object_reference schema: (identifier) @receiver name: (identifier) @ref.type))
  (constraint (object_reference schema: (identifier) @receiver name: (identifier) @ref.type))
]
(column_definition (object_reference name: (identifier) @ref.type))
(constraint (object_reference name: (identifier) @ref.type))
((invocation (object_reference name: (identifier) @name)) @call
  (#not-match? @name "^(?i:avg|cast|coalesce|concat|count|date|length|lower|max|min|now|nullif|round|substring|sum|trim|upper)$"))
(field (object_reference name: (identifier) @receiver) name: (identifier) @ref.use)
(object_reference schema: (identifier) @receiver name: (identifier) @ref.use)
((object_reference name: (identifier) @ref.use)
  (#not-match? @ref.use "^(?i:avg|cast|coalesce|concat|count|date|length|lower|max|min|now|nullif|round|substring|sum|trim|upper)$"))
