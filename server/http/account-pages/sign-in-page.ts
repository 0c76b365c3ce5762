import { ApiError } from '../../../shared/errors.js'
import { endSession } from '../../actions/accounts/end-sessions.js'
import { isPasswordOn, signInByPassword } from '../../actions/accounts/sign-in-by-password.js'
import { type ExternalMethod, externalMethods } from '../../auth/external-methods.js'
import { beginSession } from '../../auth/sessions.js'
import { requiresInvitation } from '../../policies/joining.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { type Html, html } from './html.js'
import { ownPath } from './own-path.js'
import { signInTexts } from './sign-in-texts.js'

/** The page for signing in: `/login/`. */
export const signInPage: AccountPage = {
  pattern: '/login/',
  operation: 'sign_in',
  async get(call) {
    const { query } = call.request
    if (await call.signedIn()) return redirectTo(ownPath(query.get('next')))
    const email = query.get('email') ?? query.get('is_deactivated') ?? ''
    return shownPage(call, { next: ownPath(query.get('next')), email, notice: noticeOf(call) })
  },
  async post(call, form) {
    const { ctx, request } = call
    const email = (form.get('username') ?? '').trim()
    const next = ownPath(form.get('next'))
    try {
      const password = form.get('password') ?? ''
      const user = await signInByPassword(ctx, { username: email, password, address: request.address })
      // Its cookie is replaced, so nothing else could end it.
      const before = await call.signedIn()
      if (before) await endSession(ctx, before.user.id, before.id)
      const { address, userAgent } = request
      return redirectTo(next, await beginSession(ctx, user, { method: 'password', address, userAgent }))
    } catch (thrown) {
      if (thrown instanceof ApiError) return refusedPage(call, thrown, { email, next })
      throw thrown
    }
  },
}

/** The other address of the same page. */
export const otherSignInPage: AccountPage = { ...signInPage, pattern: '/accounts/login/' }

interface Shown {
  readonly next: string
  readonly email: string
  readonly notice?: Html | undefined
  readonly status?: number
}

function shownPage(call: PageCall, { next, email, notice, status = 200 }: Shown): PageAnswer {
  const { ctx, language } = call
  const texts = signInTexts[language]
  const byPassword = isPasswordOn(ctx)
  const others = externalMethods(ctx)
  const body = html`<p class="quiet" dir="auto">${texts.place(ctx.directory.organization.name)}</p>
${notice}
${byPassword && passwordForm(call, next, email)}
${others.length > 0 && html`<div class="stack">${others.map(method => methodButton(call, method, next))}</div>`}
${!byPassword && others.length === 0 && html`<p class="notice">${texts.noMethod}</p>`}
${!requiresInvitation(ctx.directory) && html`<p class="apart">${texts.noAccount} <a href="/register/">${texts.signUp}</a></p>`}`
  return accountPage(ctx, { title: texts.title, language, body, status })
}

/** The page again, with the reason; other refusals become a page of their own. @throws {ApiError} */
function refusedPage(call: PageCall, error: ApiError, shown: Shown): PageAnswer {
  const texts = signInTexts[call.language]
  const again = (text: string, status?: number) =>
    shownPage(call, { ...shown, status, notice: html`<p class="notice bad" role="alert">${text}</p>` })
  switch (error.code) {
    case 'AUTHENTICATION_FAILED':
      return again(texts.wrong)
    case 'PASSWORD_AUTH_DISABLED':
      return again(texts.passwordsOff)
    case 'USER_DEACTIVATED':
      return redirectTo(`/login/?is_deactivated=${encodeURIComponent(shown.email)}`)
    case 'RATE_LIMIT_HIT':
      return again(texts.tooMany(Math.ceil(Number(error.fields['retry-after']) / 60)), 429)
    default:
      throw error
  }
}

function noticeOf({ language, request: { query } }: PageCall): Html | undefined {
  const texts = signInTexts[language]
  const deactivated = query.get('is_deactivated')
  if (deactivated) return html`<p class="notice bad" role="alert">${texts.deactivated(deactivated)}</p>`
  return query.get('already_registered') ? html`<p class="notice">${texts.alreadyRegistered}</p>` : undefined
}

function passwordForm({ language }: PageCall, next: string, email: string): Html {
  const texts = signInTexts[language]
  return html`<form method="post" action="/login/">
<input type="hidden" name="next" value="${next}">
<label class="field">${texts.email}
<input class="input" type="email" name="username" value="${email}" autocomplete="username" required spellcheck="false"></label>
<label class="field">${texts.password}
<input class="input" type="password" name="password" autocomplete="current-password" required></label>
<button class="button primary">${texts.submit}</button>
<p><a href="/accounts/password/reset/">${texts.forgotten}</a></p>
</form>`
}

function methodButton({ language }: PageCall, method: ExternalMethod, next: string): Html {
  const address = `${method.login_url}?next=${encodeURIComponent(next)}`
  const icon = method.display_icon && html`<img src="${method.display_icon}" alt="">`
  return html`<a class="button" href="${address}">${icon || undefined} ${signInTexts[language].by(method.display_name)}</a>`
}
