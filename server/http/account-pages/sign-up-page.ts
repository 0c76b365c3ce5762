import { linkOf } from '../../actions/joining/entry.js'
import { requestSignUp } from '../../actions/joining/request-sign-up.js'
import { requiresInvitation } from '../../policies/joining.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { html } from './html.js'
import { goalFields, methodButtons } from './method-buttons.js'
import { atPath, goalOf, type SignInGoal } from './sign-in-goal.js'
import { signUpCookie } from './sign-up-goal.js'
import { type SignUpTexts, signUpTexts } from './sign-up-texts.js'

/** The page where a person gives the address of its new account: `/register/`. */
export const signUpPage: AccountPage = {
  pattern: '/register/',
  operation: 'sign_up',
  get: call =>
    shown(call, { linkKey: null, goal: goalOf(call.request.query), email: call.request.query.get('email') ?? '' }),
  post: (call, form) => requested(call, form, null),
}

/** The other address of the same page. */
export const otherSignUpPage: AccountPage = { ...signUpPage, pattern: '/accounts/home/' }

/** The same through an invitation link. */
export const invitationLinkPage: AccountPage = {
  pattern: '/join/:key/',
  operation: 'sign_up_by_link',
  get: async call => shown(call, { linkKey: await openLink(call), goal: goalOf(call.request.query), email: '' }),
  post: async (call, form) => requested(call, form, await openLink(call)),
}

/** Says that a mail is on its way. */
export const sentPage: AccountPage = {
  pattern: '/accounts/send_confirm/',
  operation: 'sign_up_requested',
  get({ ctx, language, request }) {
    const texts = signUpTexts[language]
    const email = request.query.get('email') ?? ''
    const body = html`<p dir="auto">${texts.sent(email)}</p><p class="hint">${texts.sentHint}</p>`
    return accountPage(ctx, { title: texts.sentTitle, language, body })
  },
}

/** Null: the link is gone, and people can join without one. @throws {ApiError} with status 404 where they cannot */
async function openLink({ ctx, values: [key = ''] }: PageCall): Promise<string | null> {
  return (await linkOf(ctx, ctx.sql, key))?.key ?? null
}

interface Shown {
  readonly linkKey: string | null
  readonly goal: SignInGoal
  readonly email: string
  readonly refusal?: keyof SignUpTexts['refusals'] | undefined
}

function shown(call: PageCall, { linkKey, goal, email, refusal }: Shown): PageAnswer {
  const { ctx, language } = call
  const texts = signUpTexts[language]
  const { name } = ctx.directory.organization
  const isClosed = linkKey === null && requiresInvitation(ctx.directory)
  const form = html`<form method="post" action="${linkKey === null ? '/register/' : `/join/${linkKey}/`}">
${goalFields(goal)}
<label class="field">${texts.email}
<input class="input" type="email" name="email" value="${email}" autocomplete="email" required spellcheck="false"></label>
${refusal !== undefined && html`<p class="notice bad" role="alert">${texts.refusals[refusal]}</p>`}
<button class="button primary">${texts.submit}</button>
</form>
${methodButtons(call, 'signup_url', { ...goal, linkKey: linkKey ?? undefined })}`
  const body = html`<p class="quiet" dir="auto">${(linkKey === null ? texts.place : texts.invited)(name)}</p>
${isClosed ? html`<p class="notice">${texts.refusals.invitation}</p>` : form}
<p class="apart">${texts.hasAccount} <a href="${atPath('/login/', goal)}">${texts.signIn}</a></p>`
  return accountPage(ctx, { title: texts.title, language, body })
}

async function requested(call: PageCall, form: URLSearchParams, linkKey: string | null): Promise<PageAnswer> {
  const { ctx, request, language } = call
  const goal = goalOf(form)
  const email = (form.get('email') ?? '').trim()
  if (linkKey === null && requiresInvitation(ctx.directory)) return shown(call, { linkKey, goal, email })
  const refusal = await requestSignUp(ctx, { email, clientAddress: request.address, language, linkKey })
  if (refusal) return shown(call, { linkKey, goal, email, refusal })
  return redirectTo(`/accounts/send_confirm/?email=${encodeURIComponent(email)}`, [signUpCookie(call, email, goal)])
}
