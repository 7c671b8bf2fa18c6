//! A socket that loses and delays packets, as the internet does.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use fastrand::Rng;
use ggrs::{Message, NonBlockingSocket, UdpNonBlockingSocket};

pub struct LossySocket {
    inner: UdpNonBlockingSocket,
    rng: Rng,
    loss: f32,
    delay: Duration,
    jitter: Duration,
    /// The packets on their way, each with the time at which it is sent.
    delayed: Vec<(Instant, Message, SocketAddr)>,
}

impl LossySocket {
    pub fn new(
        inner: UdpNonBlockingSocket,
        seed: u64,
        loss: f32,
        [delay, jitter]: [Duration; 2],
    ) -> Self {
        Self {
            inner,
            rng: Rng::with_seed(seed),
            loss,
            delay,
            jitter,
            delayed: vec![],
        }
    }

    fn send_due(&mut self) {
        let now = Instant::now();
        let inner = &mut self.inner;
        self.delayed.retain(|(time, message, address)| {
            let is_due = *time <= now;
            if is_due {
                inner.send_to(message, address);
            }
            !is_due
        });
    }
}

impl NonBlockingSocket<SocketAddr> for LossySocket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        if self.rng.f32() >= self.loss {
            let delay = self.delay + self.jitter.mul_f32(self.rng.f32());
            let packet = (Instant::now() + delay, message.clone(), *address);
            self.delayed.push(packet);
        }
        self.send_due();
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        self.send_due();
        self.inner.receive_all_messages()
    }
}
