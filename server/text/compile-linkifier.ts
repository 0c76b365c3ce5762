import type { LinkifierBudget } from './linkifier-budget.js'
import type { Found, Linkifier } from './names.js'
import { Pattern, PatternError } from './pattern.js'
import { parseUrlTemplate } from './url-template.js'

const nothing: Linkifier = { find: () => [] }

/**
 * Compiles a stored linkifier. One that an earlier version accepted and this version does not matches nothing: an error
 * here would prevent every message from being sent.
 */
export function compileLinkifier(stored: { pattern: string; url_template: string }): Linkifier {
  const template = parseUrlTemplate(stored.url_template)
  const pattern = patternOf(stored.pattern)
  if (!template || !pattern) return nothing
  return {
    find(text, budget) {
      const found: Found[] = []
      for (const { start, end, values } of matches(pattern, text, budget)) {
        const url = template.expand(values)
        if (url !== undefined) found.push({ start, end, url })
      }
      return found
    },
  }
}

function patternOf(source: string): Pattern | undefined {
  try {
    return new Pattern(source)
  } catch (error) {
    if (error instanceof PatternError) return undefined
    throw error
  }
}

function* matches(pattern: Pattern, text: string, budget: LinkifierBudget) {
  let from = 0
  while (from <= text.length && budget.spend(pattern.instructions, text.length - from)) {
    const match = pattern.find(text, from)
    if (!match) return
    if (match.end > match.start) {
      if (!budget.countMatch()) return
      yield match
    }
    // The character after one match may be the one before the next; after an empty match the search advances by one.
    from = Math.max(match.end, from + 1)
  }
}
