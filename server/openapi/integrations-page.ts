import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'
import { type IncomingMessage, type Integration, integrations } from '../integrations/index.js'
import { quoted } from '../text/quote.js'

const begin = '<!-- integrations: written by `npm run docs` -->'
const end = '<!-- /integrations -->'

/**
 * The page with what is known of each integration between its two marker comments.
 * @throws if the page lacks the markers.
 */
export function withIntegrations(page: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no place for the integrations: ${begin} … ${end}`)
  const sections = [...integrations.values()].map(sectionOf)
  return `${page.slice(0, from + begin.length)}\n\n${sections.join('\n\n')}\n\n${page.slice(to)}`
}

function sectionOf({ name, displayName, eventTypes, setUp }: Integration): string {
  return [
    `## ${displayName}`,
    `\`/api/v1/external/${name}\``,
    setUp,
    ...(eventTypes ? [`Events: ${eventTypes.map(one => `\`${one}\``).join(', ')}.`] : []),
    ...examplesOf(name).flatMap(({ topic, content }) => [
      `A message, in the topic \`${topic}\`:`,
      quoted(content).replace('quote\n', 'markdown\n'),
    ]),
  ].join('\n\n')
}

/** What the integration makes of the payload `fixtures/example.json` beside it, if there is one. */
function examplesOf(name: string): readonly IncomingMessage[] {
  const path = join(projectRoot, 'server', 'integrations', name.replaceAll('_', '-'), 'fixtures', 'example.json')
  if (!existsSync(path)) return []
  return (JSON.parse(readFileSync(path, 'utf8')) as { messages: IncomingMessage[] }).messages
}
