import { z } from 'zod'
import { ExternalFailure } from './external-failure.js'
import { chunksOf, type ExternalHosts } from './external-hosts.js'
import type { FetchOwner } from './fetch-places.js'
import { frameAddress } from './page-facts.js'

const mostBytes = 65_536
const jsonTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/json+oembed',
  'text/json',
  'text/javascript',
])
const text = z.string().catch('')
const answer = z.object({ type: text, title: text, url: text, thumbnail_url: text, html: text })

/** What a website says by oEmbed (https://oembed.com); addresses as written, '' if missing. */
export interface Embedding {
  readonly kind: 'page' | 'photo' | 'video'
  readonly title: string
  readonly image: string
  /** The frame of its player. */
  readonly frame: string
}

/** Null: it says nothing that can be read, and the page counts alone. */
export async function readEmbedding(
  hosts: ExternalHosts,
  address: string,
  owner: FetchOwner,
  signal: AbortSignal,
): Promise<Embedding | null> {
  const read = answer.safeParse(await readJson(hosts, address, owner, signal))
  if (!read.success) return null
  const { type, title, url, thumbnail_url, html } = read.data
  const kind = type === 'photo' || type === 'video' ? type : 'page'
  return {
    kind,
    title,
    image: kind === 'photo' ? url : thumbnail_url,
    frame: kind === 'video' ? frameAddress(html) : '',
  }
}

async function readJson(
  hosts: ExternalHosts,
  address: string,
  owner: FetchOwner,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const answer = await hosts.get(address, { headers: { accept: 'application/json' }, owner, signal })
    if (answer.status !== 200 || !jsonTypes.has(answer.type)) {
      answer.body.destroy()
      return null
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of chunksOf(answer)) {
      bytes += chunk.length
      if (bytes > mostBytes) return null
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch (error) {
    if (error instanceof ExternalFailure || error instanceof SyntaxError) return null
    throw error
  }
}
