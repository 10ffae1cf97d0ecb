import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createLimitedServer } from './limit-connections.ts';

test('leaves room for others if one IPv6 /48 opens 1,000 connections from as many /64s', () => {
  const server = createLimitedServer(() => {}, false);
  const connect = (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const many = Array.from({ length: 1000 }, (_, number) => connect(`2001:db8:1:${number.toString(16)}::1`));
  const visitor = [connect('2001:db8:2::1'), connect('2001:db8:2::1')];
  expect(visitor.some(({ destroyed }) => destroyed)).toBe(false);
  expect(many.filter(({ destroyed }) => destroyed)).toHaveLength(2);
});

test('keeps idle connections open for longer than any proxy does, so that no sign-up is sent on one being closed', () => {
  const server = createLimitedServer(() => {}, true);
  const ofCloudflare = 900_000;
  expect(server.keepAliveTimeout).toBeGreaterThan(ofCloudflare);
});
