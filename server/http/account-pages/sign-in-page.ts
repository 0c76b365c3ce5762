import { ApiError } from '../../../shared/errors.js'
import { signInByPassword, takesNamesAndPasswords } from '../../actions/sign-in/sign-in-by-password.js'
import { requiresInvitation } from '../../policies/joining.js'
import { isPasswordOn } from '../../policies/sign-in.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { afterPassword } from './factor/factor-page.js'
import { passkeyPath, signInByPasskey } from './factor/passkey-page.js'
import { finishSignIn } from './finish-sign-in.js'
import { type Html, html } from './html.js'
import { goalFields, methodButtons } from './method-buttons.js'
import { atPath, goalOf, type SignInGoal } from './sign-in-goal.js'
import { signInTexts } from './sign-in-texts.js'

/** The page for signing in: `/login/`. */
export const signInPage: AccountPage = {
  pattern: '/login/',
  operation: 'sign_in',
  async get(call) {
    const { query } = call.request
    const goal = goalOf(query)
    // Any program can open this page with a pad of its own, so a session alone gives an app no key.
    if (!goal.pad && (await call.signedIn())) return redirectTo(goal.next)
    const email = query.get('email') ?? query.get('is_deactivated') ?? ''
    return shownPage(call, { goal, email, notice: noticeOf(call) })
  },
  async post(call, form) {
    const { ctx, request, language } = call
    const email = (form.get('username') ?? '').trim()
    const goal = goalOf(form)
    const person = call.people.find(({ id }) => String(id) === form.get('person'))
    if (person) return finishSignIn(call, person, goal, 'demonstration')
    try {
      const password = form.get('password') ?? ''
      const user = await signInByPassword(ctx, { username: email, password, address: request.address, language })
      return await afterPassword(call, user, goal)
    } catch (thrown) {
      if (thrown instanceof ApiError) return refusedPage(call, thrown, { email, goal })
      throw thrown
    }
  },
}

/** The other address of the same page. */
export const otherSignInPage: AccountPage = { ...signInPage, pattern: '/accounts/login/' }

interface Shown {
  readonly goal: SignInGoal
  readonly email: string
  readonly notice?: Html | undefined
  readonly status?: number
}

function shownPage(call: PageCall, { goal, email, notice, status = 200 }: Shown): PageAnswer {
  const { ctx, language } = call
  const texts = signInTexts[language]
  const byPassword = takesNamesAndPasswords(ctx)
  const others = methodButtons(call, 'login_url', goal)
  const body = html`<p class="quiet" dir="auto">${texts.place(ctx.directory.organization.name)}</p>
${notice}
${byPassword && passwordForm(call, goal, email)}
${signInByPasskey(ctx) && html`<a class="button" href="${atPath(passkeyPath, goal)}">${texts.byPasskey}</a>`}
${others}
${call.people.length > 0 && demonstrationForm(call, goal)}
${!byPassword && !others && html`<p class="notice">${texts.noMethod}</p>`}
${(!requiresInvitation(ctx.directory) || goal.linkKey !== undefined) && html`<p class="apart">${texts.noAccount} <a href="${signUpPath(goal)}">${texts.signUp}</a></p>`}`
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
  if (query.get('ended')) return html`<p class="notice">${texts.ended}</p>`
  const deactivated = query.get('is_deactivated')
  if (deactivated) return html`<p class="notice bad" role="alert">${texts.deactivated(deactivated)}</p>`
  return query.get('already_registered') ? html`<p class="notice">${texts.alreadyRegistered}</p>` : undefined
}

function passwordForm({ ctx, language }: PageCall, goal: SignInGoal, email: string): Html {
  const texts = signInTexts[language]
  const { namesAreAddresses } = ctx.config
  return html`<form method="post" action="/login/">
${goalFields(goal)}
<label class="field">${namesAreAddresses ? texts.email : texts.name}
<input class="input" type="${namesAreAddresses ? 'email' : 'text'}" name="username" value="${email}" autocomplete="username" required spellcheck="false" autocapitalize="none"></label>
<label class="field">${texts.password}
<input class="input" type="password" name="password" autocomplete="current-password" required></label>
<button class="button primary">${texts.submit}</button>
${isPasswordOn(ctx) && html`<p><a href="/accounts/password/reset/">${texts.forgotten}</a></p>`}
</form>`
}

/** A person who came through an invitation link goes back there. */
const signUpPath = ({ linkKey, ...goal }: SignInGoal): string =>
  atPath(linkKey === undefined ? '/register/' : `/join/${linkKey}/`, goal)

function demonstrationForm({ language, people }: PageCall, goal: SignInGoal): Html {
  const buttons = people.map(
    ({ id, full_name }) => html`<button class="button" name="person" value="${id}" dir="auto">${full_name}</button>`,
  )
  return html`<form class="apart" method="post" action="/login/">
${goalFields(goal)}
<p class="hint">${signInTexts[language].demonstration}</p>
<div class="people">${buttons}</div>
</form>`
}
