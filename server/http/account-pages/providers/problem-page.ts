import { accountPage, type PageAnswer } from '../account-page.js'
import type { PageCall } from '../add-account-page.js'
import { html } from '../html.js'
import { atPath, type SignInGoal } from '../sign-in-goal.js'
import { endedCookie } from './attempt.js'
import { type Problem, providerTexts } from './texts.js'

const statuses: Readonly<Partial<Record<Problem, number>>> = { away: 503, refused: 400, expired: 400 }

/** `path`: where the person tries again, or signs up. */
export function problemPage({ ctx, language }: PageCall, problem: Problem, path: string, goal: SignInGoal): PageAnswer {
  const texts = providerTexts[language]
  const { title, says } = texts.problems[problem]
  const body = html`<p>${says}</p>
<div class="stack">
<a class="button primary" href="${atPath(path, goal)}">${problem === 'unknown' ? texts.signUp : texts.again}</a>
<a class="button" href="${atPath('/login/', goal)}">${texts.otherWay}</a>
</div>`
  return accountPage(ctx, { title, language, body, status: statuses[problem] ?? 200, cookies: [endedCookie(ctx)] })
}
