; Elements call the component that they name. Lower-case tags are the page's own: they are bound like
; locals, which keeps them out of uses.

((jsx_opening_element name: (identifier) @name) @call (#match? @name "^[A-Z_$]"))
((jsx_self_closing_element name: (identifier) @name) @call (#match? @name "^[A-Z_$]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @name)) @call
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @name)) @call
((jsx_opening_element name: (identifier) @local) (#match? @local "^[a-z]"))
((jsx_self_closing_element name: (identifier) @local) (#match? @local "^[a-z]"))
((jsx_closing_element name: (identifier) @local) (#match? @local "^[a-z]"))
