import t from 'tap'
import { testActions } from '../support/actions/action.js'
import { places } from '../support/actions/places.js'
import { needsBrowser } from '../support/browser.js'
import { touch } from '../support/hands.js'

t.test('places: every action by touch alone', needsBrowser, t => testActions(t, touch, places))
