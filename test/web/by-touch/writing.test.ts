import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { writing } from '../support/actions/writing.js'
import { needsBrowser } from '../support/browser.js'
import { touch } from '../support/hands.js'

t.test('writing: every action by touch alone', needsBrowser, t => testActions(t, touch, writing))
