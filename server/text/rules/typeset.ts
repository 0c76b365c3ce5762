import katex from 'katex'

// Distances above this cannot be seen in a message and would only push the rest of it away.
const maxSize = 50

/** A formula as HTML and MathML, as clients expect it from KaTeX. @throws {Error} if it is not valid */
export function typeset(source: string, isDisplay: boolean): string {
  return katex.renderToString(source, {
    displayMode: isDisplay,
    output: 'htmlAndMathml',
    throwOnError: true,
    // No links, pictures, classes or styles of the author's choice.
    trust: false,
    // The result is the same, without warnings on the console.
    strict: 'ignore',
    maxExpand: 1000,
    maxSize,
  })
}
