use super::*;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

fn options(order: Order) -> Options {
    Options { window: 6, order, stack_size: 1 << 20 }
}

/// Waits until a counter has reached a number.
fn wait_for(counter: &AtomicUsize, number: usize) {
    while counter.load(Relaxed) < number {
        std::thread::yield_now();
    }
}

/// Runs jobs that take irregular time and emit `3 * job`, `3 * job + 1`, `3 * job + 2`.
fn triples(jobs: u64, workers: usize, order: Order) -> Vec<u64> {
    let mut results = Vec::new();
    run(
        vec![(); workers],
        Source::Iterator(&mut (0..jobs)),
        &options(order),
        &Cancel::new(),
        |(), job, emit| {
            for part in 0..3 {
                std::thread::sleep(Duration::from_micros(job * 7_919 % 700));
                emit(3 * job + part);
            }
            CONTINUE
        },
        |result| {
            results.push(result);
            CONTINUE
        },
    )
    .unwrap();
    results
}

#[test]
fn results_come_in_the_order_of_the_jobs() {
    for workers in [1, 2, 3, 8] {
        assert!(triples(100, workers, Order::AsGiven).into_iter().eq(0..300), "{workers}");
    }
    assert!(triples(0, 3, Order::AsGiven).is_empty());
}

#[test]
fn every_result_comes_once_when_order_does_not_matter() {
    let mut results = triples(100, 3, Order::AsDone);
    results.sort_unstable();
    assert!(results.into_iter().eq(0..300));
}

#[test]
fn the_window_limits_the_jobs_taken() {
    for order in [Order::AsGiven, Order::AsDone] {
        let (taken, finished, most) =
            (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let mut jobs = (0..60).inspect(|_| {
            let open = taken.fetch_add(1, Relaxed) + 1 - finished.load(Relaxed);
            most.fetch_max(open, Relaxed);
        });
        run(
            vec![(); 2],
            Source::Iterator(&mut jobs),
            &options(order),
            &Cancel::new(),
            |(), job, emit| {
                // The first job is slow: with results in order the others must wait for it.
                std::thread::sleep(Duration::from_millis(if job == 0 { 100 } else { 1 }));
                emit(job);
                CONTINUE
            },
            |_| {
                finished.fetch_add(1, Relaxed);
                CONTINUE
            },
        )
        .unwrap();
        assert_eq!(finished.load(Relaxed), 60);
        // One more may be taken between a result and the end of its job.
        assert!((2..=7).contains(&most.load(Relaxed)), "{order:?}: {most:?}");
    }
}

#[test]
fn the_first_cancel_finishes_jobs_in_progress_and_leaves_no_gap() {
    let cancel = Cancel::new();
    let (started, mut results) = (AtomicUsize::new(0), Vec::new());
    run(
        vec![(); 3],
        Source::Iterator(&mut (0_usize..)),
        &options(Order::AsGiven),
        &cancel,
        |(), job, emit| {
            started.fetch_add(1, Relaxed);
            std::thread::sleep(Duration::from_millis(2));
            emit(job);
            CONTINUE
        },
        |result| {
            results.push(result);
            if result == 20 {
                cancel.cancel();
            }
            CONTINUE
        },
    )
    .unwrap();
    assert!(cancel.is_cancelled() && !cancel.is_stopped());
    assert!(results.len() >= 21 && results.len() <= 27, "{results:?}");
    assert!(results.iter().copied().eq(0..results.len()));
    assert_eq!(started.load(Relaxed), results.len());
}

#[test]
fn the_second_cancel_interrupts_jobs_and_drops_unfinished_ones() {
    let cancel = Arc::new(Cancel::new());
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    cancel.on_stop(move || flag.store(true, Relaxed));
    let mut results = Vec::new();
    // Job 1 has begun, and the result of job 0 has come.
    let seen = Arc::new(AtomicUsize::new(0));
    let canceller = {
        let (cancel, seen) = (Arc::clone(&cancel), Arc::clone(&seen));
        std::thread::spawn(move || {
            wait_for(&seen, 2);
            cancel.cancel();
            cancel.cancel();
        })
    };
    run(
        vec![(); 2],
        Source::Iterator(&mut (0..10)),
        &options(Order::AsGiven),
        &cancel,
        |(), job, emit| {
            // Job 1 runs until it is interrupted.
            seen.fetch_add(usize::from(job == 1), Relaxed);
            while job == 1 && !interrupt.load(Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            if interrupt.load(Relaxed) {
                return ControlFlow::Break(());
            }
            emit(job);
            CONTINUE
        },
        |result| {
            results.push(result);
            seen.fetch_add(1, Relaxed);
            CONTINUE
        },
    )
    .unwrap();
    canceller.join().unwrap();
    // Jobs after number 1 were done, but would leave a gap.
    assert_eq!(results, [0]);
    // Registered too late: called at once.
    let late = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&late);
    cancel.on_stop(move || flag.store(true, Relaxed));
    assert!(late.load(Relaxed));
}

#[test]
fn a_waiting_channel_is_cancelled_and_a_closed_one_ends_the_run() {
    let (sender, receiver) = unbounded();
    let cancel = Arc::new(Cancel::new());
    let received = Arc::new(AtomicUsize::new(0));
    let receive = |cancel: &Cancel| {
        let mut results = Vec::new();
        run(
            vec![(); 2],
            Source::Channel(&receiver),
            &options(Order::AsGiven),
            cancel,
            |(), job: u32, emit| {
                emit(job);
                CONTINUE
            },
            |result| {
                results.push(result);
                received.fetch_add(1, Relaxed);
                CONTINUE
            },
        )
        .unwrap();
        results
    };
    (0..30).for_each(|job| sender.send(job).unwrap());
    let (other, count) = (Arc::clone(&cancel), Arc::clone(&received));
    let canceller = std::thread::spawn(move || {
        wait_for(&count, 30);
        other.cancel();
    });
    // The sender is alive: only the cancellation ends this.
    assert!(receive(&cancel).into_iter().eq(0..30));
    canceller.join().unwrap();
    (0..30).for_each(|job| sender.send(job).unwrap());
    drop(sender);
    assert!(receive(&Cancel::new()).into_iter().eq(0..30));
}

#[test]
fn the_receiver_of_results_can_end_the_run() {
    let (started, mut results) = (AtomicUsize::new(0), Vec::new());
    let cancel = Cancel::new();
    run(
        vec![(); 2],
        Source::Iterator(&mut (0..)),
        &options(Order::AsGiven),
        &cancel,
        |(), job, emit| {
            started.fetch_add(1, Relaxed);
            emit(job);
            CONTINUE
        },
        |result| {
            results.push(result);
            if result == 10 { ControlFlow::Break(()) } else { CONTINUE }
        },
    )
    .unwrap();
    assert!(results.into_iter().eq(0..=10));
    assert!(started.load(Relaxed) <= 17);
    assert!(!cancel.is_cancelled());
}

#[test]
fn a_panic_stops_the_other_jobs_and_reaches_the_caller() {
    let cancel = Arc::new(Cancel::new());
    let panic = {
        let cancel = Arc::clone(&cancel);
        let body = move || {
            run(
                vec![(); 3],
                Source::Iterator(&mut (0_u32..)),
                &options(Order::AsGiven),
                &cancel,
                |(), job, emit| {
                    assert!(job != 5, "job five is broken");
                    // The others run until they are stopped.
                    while job > 5 && !cancel.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    emit(job);
                    CONTINUE
                },
                |_| CONTINUE,
            )
        };
        catch_unwind(AssertUnwindSafe(body)).unwrap_err()
    };
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"job five is broken"));
    assert!(cancel.is_stopped());
}
