/**
 * What stands in the head of every answer of the API, as the value of its Content-Type with the lines that follow: one
 * native call writes all of it. Nobody keeps an answer, takes it for something else than JSON, shows it in a frame or as part of
 * a page of another origin.
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

/** A year: browsers come back by HTTPS alone. */
export const strictTransport = 'max-age=31536000'
