; HTML, and the single-file components that look like it. The captures are explained in
; ../treesitter/README.md.

(comment) @comment

; Elements with an id or a name, and headings by their text
((element [
    (start_tag (attribute (attribute_name) @_attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag (attribute (attribute_name) @_attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]) @def.element
  (#eq? @_attribute "id"))
((element [
    (start_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ] @_start) @def.element
  (#eq? @_attribute "name")
  (#not-match? @_start "\\sid\\s*=")
  (#any-of? @_tag "a" "form" "iframe" "input" "map" "select" "slot" "template" "textarea"))
((element (start_tag (tag_name) @_tag) . (text) @name (end_tag)? @body) @def.element
  (#any-of? @_tag "h1" "h2" "h3"))
(element (start_tag) . (_) @body) @def.element

; Scripts and styles are texts in languages of their own.
((script_element (start_tag) @_tag (raw_text) @embedded)
  (#not-match? @_tag "\\s(lang|type)\\s*=")
  (#match? @embedded "\\S")
  (#set! language "javascript"))
((script_element (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "\\s(lang=[\"']?jsx?\\b|type=[\"']?(module|(text|application)/(java|ecma)script|text/babel)\\b)")
  (#not-match? @_tag "\\slang=[\"']?ts")
  (#match? @embedded "\\S")
  (#set! language "javascript"))
((script_element (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "\\s(lang|type)=[\"']?(tsx?\\b|typescript|text/typescript)")
  (#match? @embedded "\\S")
  (#set! language "typescript"))
((script_element (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "\\stype=[\"']?(application/(ld\\+)?json|importmap|speculationrules)")
  (#match? @embedded "\\S")
  (#set! language "json"))
((style_element (start_tag) @_tag (raw_text) @embedded)
  (#not-match? @_tag "\\slang\\s*=")
  (#match? @embedded "\\S")
  (#set! language "css"))
((style_element (start_tag (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @language))) (raw_text) @embedded)
  (#eq? @_attribute "lang")
  (#match? @embedded "\\S"))

; Other files. One that a template names is known only when the page is made.
([
    (start_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
    (self_closing_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
  ] @import
  (#eq? @_tag "script") (#eq? @_attribute "src") (#not-match? @module "[{][{%]") (#set! style "script"))
([
    (start_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
    (self_closing_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
  ] @import
  (#eq? @_tag "link") (#eq? @_attribute "href") (#not-match? @module "[{][{%]") (#set! style "link"))
([
    (start_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
    (self_closing_tag (tag_name) @_tag (attribute (attribute_name) @_attribute [(attribute_value) @module (quoted_attribute_value (attribute_value) @module)]))
  ] @import
  (#any-of? @_tag "audio" "embed" "iframe" "img" "source" "video")
  (#eq? @_attribute "src") (#not-match? @module "^data:|[{][{%]") (#set! style "source"))

; Components are elements whose name has a dash or starts in upper case.
([
    (start_tag (tag_name) @ref.use)
    (self_closing_tag (tag_name) @ref.use)
  ] (#match? @ref.use "^[A-Z]|-"))
