import type { Header } from '../reply.js'

/**
 * What a page may do. Everything comes from this server and goes to it; no script or style stands in the page itself; text
 * becomes markup only through the two policies that the build and DOMPurify make; no other page may frame it. A form is sent by
 * script, never by the browser: a password must not end up in an address.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types templates dompurify',
].join('; ')

export const fileHeaders: readonly Header[] = [['X-Content-Type-Options', 'nosniff']]

export const pageHeaders: readonly Header[] = [
  ...fileHeaders,
  ['Content-Security-Policy', policy],
  // Links in messages lead anywhere: that somebody came from here, and from which channel, is nobody's business.
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]
