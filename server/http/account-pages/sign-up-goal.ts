import type { PageAnswer } from './account-page.js'
import type { PageCall } from './add-account-page.js'
import { endPageCookie, type PageCookie, readPageCookie, setPageCookie } from './page-cookie.js'
import { type GoalValues, goalFrom, goalValues, type SignInGoal } from './sign-in-goal.js'

const hourSeconds = 3600
const cookie: PageCookie = { name: 'parley_sign_up', purpose: 'sign-up', seconds: hourSeconds }

/** The cookie in which the browser keeps for an hour what a sign-up with this address is for, because the mail leads to another page. */
export function signUpCookie({ ctx }: PageCall, email: string, goal: SignInGoal): string {
  const until = ctx.clock.now() + hourSeconds * 1000
  return setPageCookie(ctx, cookie, [email.toLowerCase(), until, ...goalValues(goal)])
}

/** What the sign-up with this address was begun for in this browser; the start page if it was begun elsewhere, or more than an hour ago. */
export function goalOfSignUp({ ctx, request }: PageCall, email: string): SignInGoal {
  const [address, until, ...goal] = (readPageCookie(ctx, request, cookie) ?? ['', 0, '/', '', '', '']) as [
    string,
    number,
    ...GoalValues,
  ]
  const isOf = address === email.toLowerCase() && until >= ctx.clock.now()
  return isOf ? goalFrom(goal) : { next: '/' }
}

/** Removes the cookie with the answer that ends a sign-up. */
export const withoutSignUp = ({ ctx }: PageCall, answer: PageAnswer): PageAnswer => ({
  ...answer,
  headers: [...answer.headers, ['Set-Cookie', endPageCookie(ctx, cookie)]],
})
