import t from 'tap'
import { isPicture, kindOf } from '../../../server/web/state/file-kind.js'

t.test('the ending of a name says the kind', async t => {
  t.equal(kindOf('plan.pdf'), 'PDF')
  t.equal(kindOf('a.tar.gz'), 'GZ')
  t.equal(kindOf('clip.MP4'), 'MP4')
})

t.test('what is no usual ending says nothing', async t => {
  for (const name of ['', 'README', '.', 'a.', 'a.b c', 'a.verylong', 'a.<b>', 'a.pdf\n', 'Version 1.ü'])
    t.equal(kindOf(name), '', name)
})

t.test('pictures are those of which the server makes thumbnails', async t => {
  for (const name of ['a.png', 'a.JPG', 'a.jpeg', 'a.webp', 'a.tif']) t.ok(isPicture(name), name)
  for (const name of ['a.svg', 'a.heic', 'png', 'a.png.exe', '']) t.notOk(isPicture(name), name)
})
