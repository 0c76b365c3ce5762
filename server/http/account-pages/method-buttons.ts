import { type ExternalMethod, externalMethods } from '../../presenters/external-methods.js'
import type { PageCall } from './add-account-page.js'
import { type Html, html } from './html.js'
import { atPath, goalQuery, type SignInGoal } from './sign-in-goal.js'
import { signInTexts } from './sign-in-texts.js'

/** The hidden fields with which a form carries its goal on. */
export const goalFields = (goal: SignInGoal): Html[] =>
  [...goalQuery(goal)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** A button for each identity provider; undefined: there are none. */
export function methodButtons(call: PageCall, at: 'login_url' | 'signup_url', goal: SignInGoal): Html | undefined {
  const methods = externalMethods(call.ctx)
  // Without icons: they are on other hosts, and the page loads nothing from there.
  const button = (method: ExternalMethod) =>
    html`<a class="button" href="${atPath(method[at], goal)}">${signInTexts[call.language].by(method.display_name)}</a>`
  return methods.length > 0 ? html`<div class="stack">${methods.map(button)}</div>` : undefined
}
