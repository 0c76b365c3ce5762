// Characters. Bounds what database rows store of a client program's name.
const maxLength = 100

/** The client program: the User-Agent up to the first `/` or space (docs/protocol/conventions.md#client-name). */
export function clientName(userAgent: string): string {
  let end = 0
  while (end < userAgent.length && end < maxLength) {
    const code = userAgent.charCodeAt(end)
    if (code === 0x2f || code === 0x20) break
    end++
  }
  return end === 0 ? 'Unspecified' : userAgent.slice(0, end)
}
