/** The address of an uploaded picture on this server, without the server; other hosts would learn who looks at what. */
export function ownPicture(url: string | null | undefined): string | undefined {
  if (!url) return undefined
  const { pathname, search } = new URL(url, location.origin)
  return pathname.startsWith('/user_avatars/') ? pathname + search : undefined
}
