/** A service whose players messages may show. */
export interface VideoProvider {
  /** Origins of its pages. */
  readonly pages: readonly string[]
  /** Where it answers by oEmbed: origin and path. */
  readonly endpoint: string
  /** What the addresses of its players begin with: origin and a folder. */
  readonly players: string
}

/** From the registry of oEmbed (https://oembed.com/providers.json), with the addresses of the players that these endpoints return. */
export const knownVideoProviders: readonly VideoProvider[] = [
  {
    pages: ['https://www.youtube.com', 'https://m.youtube.com', 'https://youtu.be'],
    endpoint: 'https://www.youtube.com/oembed',
    players: 'https://www.youtube.com/embed/',
  },
  {
    pages: ['https://vimeo.com', 'https://player.vimeo.com'],
    endpoint: 'https://vimeo.com/api/oembed.json',
    players: 'https://player.vimeo.com/video/',
  },
]

/**
 * The address of a player, '' if it is none of a known provider. Page, oEmbed answer and player have to be of the same provider: readers'
 * clients load the player, so no other website may choose its address.
 */
export function playerAddress(providers: readonly VideoProvider[], page: URL, oembed: string, player: string): string {
  if (!URL.canParse(oembed) || !URL.canParse(player)) return ''
  const [asked, shown] = [new URL(oembed), new URL(player)]
  const provider = providers.find(
    ({ pages, endpoint }) => pages.includes(page.origin) && endpoint === asked.origin + asked.pathname,
  )
  return provider && shown.href.startsWith(provider.players) ? shown.href : ''
}
