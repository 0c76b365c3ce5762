import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { messages } from '../support/actions/messages.js'
import { needsBrowser } from '../support/browser.js'
import { keyboard } from '../support/hands.js'

t.test('messages: every action by the keyboard alone', needsBrowser, t => testActions(t, keyboard, messages))
