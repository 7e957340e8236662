//! Splits HTML into blocks.

use crate::tokens::{Token, is_block, is_void};

/// Splits tokens into blocks. A block is a block element, or a paragraph made of inline content
/// outside block elements.
pub fn blocks(tokens: Vec<Token>) -> Vec<Vec<Token>> {
    let mut blocks = Vec::new();
    let (mut line, mut block) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for token in tokens {
        let starts = depth == 0 && token.is_start_of(is_block);
        if starts {
            end_line(&mut line, &mut blocks);
        }
        match &token {
            Token::Start(tag) => depth += usize::from(!is_void(&tag.name)),
            Token::End(_) => depth = depth.saturating_sub(1),
            Token::Text(_) => {}
        }
        match token {
            token if starts || !block.is_empty() => {
                block.push(token);
                if depth == 0 {
                    blocks.push(std::mem::take(&mut block));
                }
            }
            // In text without tags, blank lines separate paragraphs.
            Token::Text(text) if depth == 0 && text.contains("\n\n") => {
                for part in text.split_inclusive("\n\n") {
                    line.push(Token::Text(part.to_owned()));
                    if part.ends_with("\n\n") {
                        end_line(&mut line, &mut blocks);
                    }
                }
            }
            token => line.push(token),
        }
    }
    end_line(&mut line, &mut blocks);
    blocks
}

/// Adds a line of inline content to `blocks` as a paragraph, unless the line is blank.
fn end_line(line: &mut Vec<Token>, blocks: &mut Vec<Vec<Token>>) {
    let mut line = std::mem::take(line);
    if line.iter().all(|token| token.is_blank() || token.is_start("br")) {
        return;
    }
    // A link can contain a block element, but a paragraph cannot.
    if !line.iter().any(|token| token.is_start_of(is_block)) {
        line.insert(0, Token::start("p"));
        line.push(Token::end("p"));
    }
    blocks.push(line);
}
