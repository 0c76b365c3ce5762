import { TextDecoder } from 'node:util'
import { budgets } from '../config/budgets.js'
import { truncate, wellFormed } from '../text/content.js'
import type { Website } from '../text/website.js'
import type { External } from './external.js'
import { ExternalFailure } from './external-failure.js'
import { chunksOf, type ExternalAnswer, isExternalAddress } from './external-hosts.js'
import type { FetchOwner } from './fetch-places.js'
import { type Embedding, readEmbedding } from './oembed.js'
import { PageFacts } from './page-facts.js'
import { playerAddress } from './video-providers.js'

const mostTitle = 200
const mostDescription = 500
const htmlTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
// What a page begins with, behind white space and a byte order mark. A NUL is in no text.
const html = /^[\ufeff\s]*<[!?a-z]/i
const sniffed = 1_024

/**
 * Reads what a website shows of itself: by oEmbed, by OpenGraph, and by its own title, description and first picture, in this order
 * (docs/protocol/message-html.md#websites). Null: it has no picture, or is no page. Of a page that is too long the beginning counts.
 * @throws {ExternalFailure} if it cannot be read
 */
export async function readWebsite(
  external: External,
  address: string,
  owner: FetchOwner,
  ending: AbortSignal,
): Promise<Website | null> {
  // Not AbortSignal.any with AbortSignal.timeout: it holds the timeout weakly, and one that the garbage collector has removed never fires.
  const inTime = new AbortController()
  const end = () => inTime.abort()
  const timer = setTimeout(end, external.limits.websiteMs)
  ending.addEventListener('abort', end)
  if (ending.aborted) end()
  try {
    return await readInTime(external, address, owner, inTime.signal)
  } finally {
    clearTimeout(timer)
    ending.removeEventListener('abort', end)
  }
}

async function readInTime(
  { hosts, videoProviders }: External,
  address: string,
  owner: FetchOwner,
  signal: AbortSignal,
): Promise<Website | null> {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const answer = await hosts.get(address, { headers, owner, signal })
  const facts = await readFacts(answer)
  if (!facts) return null
  const absolute = (found: string) => absoluteAddress(found, answer.url)
  const oembed = absolute(facts.oembed)
  const embedding = oembed === '' ? null : await readEmbedding(hosts, oembed, owner, signal)
  const player = embedding ? playerAddress(videoProviders, answer.url, oembed, embedding.frame) : ''
  return websiteOf(facts, embedding, player, absolute)
}

function websiteOf(
  facts: PageFacts,
  embedding: Embedding | null,
  player: string,
  absolute: (found: string) => string,
): Website | null {
  const title = line(embedding?.title || facts.title, mostTitle)
  const own = absolute(embedding?.image ?? '')
  const image = own || absolute(facts.image)
  if (image === '') return null
  const kind = embedding?.kind === 'photo' && own !== '' ? 'photo' : player === '' ? 'page' : 'video'
  return { kind, title, description: line(facts.description, mostDescription), image, player }
}

/** Null: it is no page. */
async function readFacts(answer: ExternalAnswer): Promise<PageFacts | null> {
  const { status, type, body } = answer
  const { 'content-encoding': encoding = 'identity', 'content-type': header = '' } = body.headers
  if (status !== 200 || !htmlTypes.has(type) || encoding !== 'identity') {
    body.destroy()
    return null
  }
  const facts = new PageFacts()
  let decoder: TextDecoder | undefined
  let bytes = 0
  try {
    for await (const chunk of chunksOf(answer)) {
      const isFirst = decoder === undefined
      decoder ??= decoderOf(header, chunk)
      const text = decoder.decode(chunk, { stream: true })
      if (isFirst && (!html.test(text) || text.slice(0, sniffed).includes('\0'))) return null
      bytes += chunk.length
      if (!facts.read(text) || bytes >= budgets.websiteBytes.most) break
    }
  } catch (error) {
    // Of a page that breaks off, or is too slow, the beginning counts.
    if (!(error instanceof ExternalFailure) || bytes === 0) throw error
  }
  return facts
}

/** By the header, or by what the page itself says. */
function decoderOf(header: string, start: Buffer): TextDecoder {
  const said = /charset\s*=\s*["']?([\w.:-]+)/i
  const own = /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i
  const label = said.exec(header)?.[1] ?? own.exec(start.toString('latin1', 0, sniffed))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown label.
    return new TextDecoder()
  }
}

/** '' if there is none, or it is none of another host. */
function absoluteAddress(found: string, base: URL): string {
  const address = found.trim()
  if (address === '' || !URL.canParse(address, base.href)) return ''
  const { href } = new URL(address, base.href)
  return isExternalAddress(href) ? href : ''
}

/** Text on one line, without characters that change its direction. */
const line = (text: string, most: number): string =>
  truncate(
    wellFormed(text)
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
      .trim(),
    most,
    '…',
  )
