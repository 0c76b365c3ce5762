import { beginRendering, type Names, type Rendered } from '../../server/text/markdown.js'
import { renderSlowParts } from '../../server/text/render-slow-parts.js'

/** Renders a message in this thread, formulas and code included. */
export function renderAll(content: string, names: Names): Rendered {
  const { parts, finish } = beginRendering(content, names)
  return finish(renderSlowParts(parts.map(({ part }) => part)))
}
