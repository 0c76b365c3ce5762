import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHttps } from '../../config/addresses.js'
import { projectRoot } from '../../config/paths.js'
import type { Ctx } from '../../ctx.js'
import { pictureUrl } from '../../presenters/organization-pictures.js'
import type { PageLanguage } from '../../text/page-language.js'
import type { Header } from '../answer.js'
import { Html, html } from './html.js'

/** The answer of an account page. */
export interface PageAnswer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

interface PageParts {
  /** The heading, and the title of the window with the organization's name. */
  readonly title: string
  readonly language: PageLanguage
  readonly body: Html
  /** 200 where absent. */
  readonly status?: number
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[]
  /** Its form is filled in by the script that asks the browser for a passkey. */
  readonly asksPasskey?: boolean
}

const textOf = (path: string) => readFileSync(join(projectRoot, 'server', path), 'utf8')
const style = textOf('web/look/look.css') + textOf('http/account-pages/account-pages.css')
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** The only script of these pages. */
const passkeyScript = textOf('http/account-pages/factor/passkey.js')

/**
 * A page for people who sign in or sign up: one card with the organization's icon, a heading and `body`. It has no script but the one for passkeys, loads nothing but
 * pictures of this server, and its forms go to this server only.
 */
export function accountPage(
  ctx: Ctx,
  { title, language, body, status = 200, cookies = [], asksPasskey = false }: PageParts,
): PageAnswer {
  const { organization } = ctx.directory
  const page = html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${organization.name}</title>
<link rel="icon" href="${pictureUrl(organization, 'icon')}">
<style>${new Html(style)}</style>
</head>
<body>
<main class="account">
<div class="account-card card">
<img class="organization-icon" src="${pictureUrl(organization, 'icon')}" width="44" height="44" alt="">
<h1 dir="auto">${title}</h1>
${body}
</div>
</main>
${asksPasskey && html`<script type="module">${new Html(passkeyScript)}</script>`}
</body>
</html>
`
  return { status, headers: [...headersOf(ctx, asksPasskey), ...setCookies(cookies)], body: page.text }
}

/** Goes on at a path of this server, or at an address that the program itself made. */
export const redirectTo = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 302,
  headers: [['Location', location], ['Cache-Control', 'no-store'], ...setCookies(cookies)],
  body: '',
})

const setCookies = (cookies: readonly string[]): Header[] => cookies.map((cookie): Header => ['Set-Cookie', cookie])

function headersOf({ config, publicUrl }: Ctx, asksPasskey: boolean): Header[] {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(asksPasskey ? [`script-src ${hashOf(passkeyScript)}`] : []),
    "img-src 'self'",
    "base-uri 'none'",
    // Browsers apply this to redirects after a form, too, and a sign-up of an app ends in the app.
    `form-action 'self' ${config.wireBrand}:`,
    "frame-ancestors 'none'",
  ].join('; ')
  const headers: Header[] = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    // Other hosts must not learn the keys in addresses. `no-referrer` would take the Origin out of forms.
    ['Referrer-Policy', 'same-origin'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['Vary', 'Accept-Language'],
  ]
  if (isHttps({ publicUrl })) headers.push(['Strict-Transport-Security', 'max-age=31536000'])
  return headers
}
