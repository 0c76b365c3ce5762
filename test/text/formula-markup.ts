const tags = new Set(
  (
    'p span br svg path line math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mover munder ' +
    'munderover mfrac msqrt mroot mtable mtr mtd mpadded mphantom menclose mstyle em strong code del a'
  ).split(' '),
)
// Attributes of MathML and SVG, none of which names an address, a script or an element.
const attributes = new Set(
  (
    'class aria-hidden xmlns display encoding mathcolor mathbackground mathvariant mathsize stretchy fence separator lspace ' +
    'rspace minsize maxsize rowspacing columnalign columnspacing columnlines rowlines width height depth voffset viewBox ' +
    'preserveAspectRatio d x1 x2 y1 y2 stroke-width notation accent accentunder linethickness scriptlevel displaystyle ' +
    'movablelimits form linebreak side frame'
  ).split(' '),
)
const color = '(?:#[0-9a-f]{3,8}|[a-z]+)'
const declaration = `(?:[a-z-]+:-?[0-9.]+(?:e-?\\d+)?em|(?:background-|border-)?color:${color}|position:relative|width:(?:100%|min-content)|border-[a-z-]*style:[a-z]+|[a-z]+-align:[a-z-]+|min-width:[0-9.]+em)`
const style = new RegExp(`^(?:${declaration};)*$`, 'i')

/** The first tag, attribute or style of a text with formulas that no formula needs. */
export function strangeMarkup(html: string): string | undefined {
  for (const [whole, name = '', rest = ''] of html.matchAll(/<\/?([^\s>/]*)([^>]*?)\/?>/g)) {
    if (!tags.has(name)) return `tag ${whole}`
    for (const [, key = '', value = ''] of rest.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      if (key === 'href') {
        if (name !== 'a' || !/^(?:https?|mailto):/.test(value)) return `address ${whole}`
      } else if (key === 'style') {
        if (!style.test(value)) return `style ${value}`
      } else if (!attributes.has(key)) return `attribute ${whole}`
      else if (key === 'class' && !/^[a-z0-9 _-]*$/i.test(value)) return `class ${value}`
    }
  }
  return undefined
}
