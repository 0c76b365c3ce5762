import { beginRendering, type Names, type Rendered } from '../../server/text/markdown.js'
import { SlowPartsRenderer } from '../../server/text/render-slow-parts.js'

const slowParts = new SlowPartsRenderer()

/** Renders a message in this thread, formulas and code included. */
export function renderAll(content: string, names: Names): Rendered {
  const { parts, finish } = beginRendering(content, names)
  return finish(slowParts.render(parts.map(({ part }) => part)))
}
