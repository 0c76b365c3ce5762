/**
 * The headers of every API answer, as the value of Content-Type with the following lines, so that one native call writes them all. They
 * keep clients from caching the answer, from reading it as anything but JSON, and from embedding it in frames or in pages of another
 * origin.
 */
export function answerHead(isHttps: boolean): string {
  return [
    'application/json',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy: same-origin',
    'Referrer-Policy: no-referrer',
    ...(isHttps ? [`Strict-Transport-Security: ${strictTransport}`] : []),
  ].join('\r\n')
}

/** One year, in seconds: browsers then use HTTPS only. */
const strictTransport = 'max-age=31536000'
