import { type ExternalMethod, externalMethods } from '../../auth/external-methods.js'
import { realmSetting } from '../../policies/settings.js'
import { accountPage, type PageAnswer } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { type Html, html } from './html.js'
import { ownPath } from './own-path.js'
import { signInTexts } from './sign-in-texts.js'

/** The page for signing in: `/login/`. */
export const signInPage: AccountPage = {
  pattern: '/login/',
  operation: 'sign_in',
  get: call => shownPage(call),
}

/** The other address of the same page. */
export const otherSignInPage: AccountPage = { ...signInPage, pattern: '/accounts/login/' }

function shownPage(call: PageCall): PageAnswer {
  const { ctx, language, request } = call
  const texts = signInTexts[language]
  const next = ownPath(request.query.get('next'))
  const byPassword = realmSetting(ctx.directory, 'authentication_methods').Email?.enabled ?? false
  const others = externalMethods(ctx)
  const body = html`<p class="quiet" dir="auto">${texts.place(ctx.directory.organization.name)}</p>
${noticeOf(call)}
${byPassword && passwordForm(call, next)}
${others.length > 0 && html`<div class="stack">${others.map(method => methodButton(call, method, next))}</div>`}
${!byPassword && others.length === 0 && html`<p class="notice">${texts.noMethod}</p>`}`
  return accountPage(ctx, { title: texts.title, language, body })
}

function noticeOf({ language, request: { query } }: PageCall): Html | undefined {
  const texts = signInTexts[language]
  const deactivated = query.get('is_deactivated')
  if (deactivated) return html`<p class="notice bad" role="alert">${texts.deactivated(deactivated)}</p>`
  return query.get('already_registered') ? html`<p class="notice">${texts.alreadyRegistered}</p>` : undefined
}

function passwordForm({ language, request }: PageCall, next: string): Html {
  const texts = signInTexts[language]
  const email = request.query.get('email') ?? request.query.get('is_deactivated') ?? ''
  return html`<form method="post" action="/login/">
<input type="hidden" name="next" value="${next}">
<label class="field">${texts.email}
<input class="input" type="email" name="username" value="${email}" autocomplete="username" required spellcheck="false"></label>
<label class="field">${texts.password}
<input class="input" type="password" name="password" autocomplete="current-password" required></label>
<button class="button primary">${texts.submit}</button>
</form>`
}

function methodButton({ language }: PageCall, method: ExternalMethod, next: string): Html {
  const address = `${method.login_url}?next=${encodeURIComponent(next)}`
  const icon = method.display_icon && html`<img src="${method.display_icon}" alt="">`
  return html`<a class="button" href="${address}">${icon || undefined} ${signInTexts[language].by(method.display_name)}</a>`
}
