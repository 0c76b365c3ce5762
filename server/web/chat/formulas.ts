/** Elements and attributes of a formula beside those of other text. */
export const formulaTags =
  'math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mover munder munderover mfrac msqrt mroot mtable ' +
  'mtr mtd mpadded mphantom menclose mstyle svg path line'
export const formulaAttributes =
  'aria-hidden xmlns display encoding mathcolor mathbackground mathvariant stretchy fence separator lspace rspace minsize maxsize ' +
  'rowspacing columnalign columnspacing columnlines rowlines width height depth voffset viewbox preserveaspectratio d x1 x2 y1 y2 ' +
  'stroke-width notation accent accentunder linethickness scriptlevel displaystyle data-style'

const property = /^(?:(?:min-)?width|height|top|left|(?:vertical-align|(?:margin|padding)-\w+|border-\w+-width))$/
const length = /^-?[\d.]+em$/

/** The HTML with styles under a name that the page's policy does not refuse; showFormulas applies them. */
export function renameStyles(html: string): string {
  return /class="katex|style="text-align|class="message_embed/.test(html)
    ? html.replace(/<[^>]+>/g, tag => tag.replace(' style="', ' data-style="'))
    : html
}

/** Applies the styles of formulas and of table cells, removes what belongs to formulas elsewhere, and loads KaTeX's stylesheet where it is needed. */
export function showFormulas(fragment: DocumentFragment): void {
  for (const stray of fragment.querySelectorAll('svg, math')) if (!stray.closest('.katex')) stray.remove()
  for (const element of fragment.querySelectorAll<HTMLElement>('[data-style]')) {
    if (element.closest('.katex')) applyStyle(element)
    else if (element.matches('td, th')) align(element)
    element.removeAttribute('data-style')
  }
  if (fragment.querySelector('.katex')) void import('katex/dist/katex.min.css')
}

function align(cell: HTMLElement): void {
  const [, side] = /^text-align: (left|center|right);$/.exec(cell.dataset.style ?? '') ?? []
  if (side) cell.style.textAlign = side
}

function applyStyle(element: HTMLElement): void {
  for (const declaration of (element.dataset.style ?? '').split(';')) {
    const [name = '', value = ''] = declaration.split(':')
    const isColor = /^(?:background-|border-)?color$/.test(name) && /^(?:#[0-9a-f]{3,8}|[a-z]+)$/i.test(value)
    if ((property.test(name) && length.test(value)) || isColor || declaration === 'position:relative') {
      element.style.setProperty(name, value)
    }
  }
}
