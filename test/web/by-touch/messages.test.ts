import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { messages } from '../support/actions/messages.js'
import { needsBrowser } from '../support/browser.js'
import { touch } from '../support/hands.js'

t.test('messages: every action by touch alone', needsBrowser, t => testActions(t, touch, messages))
