import type { Header } from '../answer.js'

/**
 * The Content Security Policy of pages. All resources come from this server and all requests go to it; pages have no inline scripts or
 * styles; text becomes HTML only through the trusted-types policies of the build and of DOMPurify, and the only worker is the page's own; no other page may embed them.
 * Scripts submit forms, never the browser: a password must not appear in a URL.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types templates dompurify service-worker',
].join('; ')

export const fileHeaders: readonly Header[] = [['X-Content-Type-Options', 'nosniff']]

export const pageHeaders: readonly Header[] = [
  ...fileHeaders,
  ['Content-Security-Policy', policy],
  // Messages link to arbitrary sites, which must not learn the address of the page or channel.
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
]
