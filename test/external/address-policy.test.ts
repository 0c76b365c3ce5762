import { networkInterfaces } from 'node:os'
import t from 'tap'
import { isPublicAddress } from '../../server/external/address-policy.js'

t.test('addresses of the Internet are allowed', async t => {
  for (const address of ['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
    t.ok(isPublicAddress(address), address)
})

t.test('addresses inside networks, of tunnels, and of no host are refused', async t => {
  const inside =
    '0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 127.8.8.8 169.254.1.1 172.16.0.1 172.31.255.255 ' +
    '192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255'
  const sixes =
    ':: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::127.0.0.1 64:ff9b:1::1 100::1 fc00::1 fd00::1 fe80::1 ' +
    'fe80::1%eth0 fec0::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 4000::1'
  for (const address of `${inside} ${sixes}`.split(' ')) t.notOk(isPublicAddress(address), address)
})

t.test('metadata services of clouds are refused', async t => {
  for (const address of ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'])
    t.notOk(isPublicAddress(address), address)
})

t.test('this machine is refused under each of its addresses', async t => {
  for (const { address } of Object.values(networkInterfaces()).flatMap(all => all ?? []))
    t.notOk(isPublicAddress(address), address)
})

t.test('what is no address is refused', async t => {
  for (const text of ['', 'localhost', 'a.example', '1.2.3.4.5', '[::1]', '8.8.8.8/8'])
    t.notOk(isPublicAddress(text), text)
})
