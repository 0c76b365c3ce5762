/** The address of an uploaded picture on this server, without the server; other hosts would learn who looks at what. */
export function ownPicture(url: string | null | undefined): string | undefined {
  if (!url) return undefined
  const { pathname, search } = new URL(url, location.origin)
  return pathname.startsWith('/user_avatars/') ? pathname + search : undefined
}

/** Shows the organization's icon, if it has one, as that of the page. */
export function showPageIcon(url: string | undefined): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  const own = ownPicture(url)
  link.type = own ? 'image/png' : 'image/svg+xml'
  link.href = own ?? '/favicon.svg'
}
