(line_comment) @comment
