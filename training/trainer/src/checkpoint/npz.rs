//! Checkpoints as `.npz`, for numpy and PyTorch. docs/training.md describes the arrays.

use super::{Checkpoint, CheckpointError};
use crate::inputs::Shared;
use crate::net::{Layer, Layout, Net, is_trainable};
use crate::objective::Objective;
use crate::trainer::{Parameters, Trainer};
use monomi_eval::network::{Architecture, FeatureSet};
use monomi_support::batch::files;
use npyz::{AutoSerialize, NpyFile, Order, WriteOptions, WriterBuilder as _};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read as _, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The version of the arrays.
const VERSION: i64 = 1;
/// The layers after the first.
const LAYERS: [&str; 3] = ["hidden1", "hidden2", "output"];
/// Before the names of Adam's averages of the gradient and of its square, and of the averaged parameters.
const SETS: [&str; 3] = ["adam.mean.", "adam.square.", "average."];

/// An array: its name, its shape and where its numbers are among the rows or the dense parameters, in order.
struct Array {
    name: String,
    shape: Vec<u64>,
    in_rows: bool,
    at: Vec<usize>,
}

/// The arrays of one set of parameters.
fn arrays(architecture: Architecture, layout: &Layout) -> Vec<Array> {
    let (rows, l1) = (layout.rows, layout.l1);
    let first = (0..rows).flat_map(|row| (0..l1).map(move |neuron| layout.row_index(row, neuron)));
    let mut arrays = vec![
        Array {
            name: "first.weight".to_owned(),
            shape: vec![rows as u64, l1 as u64],
            in_rows: true,
            at: first.collect(),
        },
        Array {
            name: "first.bias".to_owned(),
            shape: vec![l1 as u64],
            in_rows: false,
            at: layout.first_bias.clone().collect(),
        },
    ];
    let stacks = layout.stacks.len() as u64;
    for (index, (name, (inputs, outputs))) in
        LAYERS.iter().zip(architecture.affine_sizes()).enumerate()
    {
        let layers = || layout.stacks.iter().map(move |stack| &stack[index]);
        // As in PyTorch: a row for each output.
        let weights = layers().flat_map(|layer: &Layer| {
            (0..outputs).flat_map(move |output| {
                (0..inputs).map(move |input| layer.weights.start + input * layer.outputs + output)
            })
        });
        arrays.push(Array {
            name: format!("{name}.weight"),
            shape: vec![stacks, outputs as u64, inputs as u64],
            in_rows: false,
            at: weights.collect(),
        });
        arrays.push(Array {
            name: format!("{name}.bias"),
            shape: vec![stacks, outputs as u64],
            in_rows: false,
            at: layers().flat_map(|layer| layer.bias.start..layer.bias.start + outputs).collect(),
        });
    }
    arrays
}

/// Writes a checkpoint as `.npz`, with every array in 32-bit floating point.
///
/// # Errors
/// The file cannot be written.
pub fn export(path: &Path, checkpoint: &Checkpoint) -> io::Result<()> {
    let trainer = &checkpoint.trainer;
    let architecture = trainer.net.architecture;
    let arrays = arrays(architecture, &trainer.net.layout);
    let shared = Shared::new(architecture.features);
    let features = FeatureSet::ALL.iter().position(|set| *set == architecture.features);
    let stacks = if architecture.is_plain() { 0 } else { architecture.stacks() };
    let numbers = [
        ("version", VERSION),
        ("features", features.unwrap_or(0) as i64),
        ("l1", architecture.l1 as i64),
        ("l2", architecture.l2 as i64),
        ("l3", architecture.l3 as i64),
        ("stacks", stacks as i64),
        ("inputs", shared.first as i64),
        ("shared", shared.count as i64),
        ("steps", trainer.steps as i64),
        ("epochs", checkpoint.epochs as i64),
        ("rounded", i64::from(trainer.rounded.is_some())),
    ];
    let state: &[Parameters] = if trainer.steps == 0 { &[] } else { &trainer.moments };
    let sets = SETS[..2].iter().zip(state).chain(SETS[2..].iter().zip(&trainer.average));
    files::replace(path, |file| {
        let mut zip = ZipWriter::new(file);
        for (name, number) in numbers {
            write_array(&mut zip, name, &[], [number].into_iter())?;
        }
        let net = &trainer.net;
        for (prefix, rows, dense) in std::iter::once(("", &net.rows, &net.dense))
            .chain(sets.map(|(prefix, set)| (*prefix, &set.rows, &set.dense)))
        {
            for array in &arrays {
                let all: &[f32] = if array.in_rows { rows } else { dense };
                let numbers = array.at.iter().map(|&at| all[at]);
                write_array(&mut zip, &format!("{prefix}{}", array.name), &array.shape, numbers)?;
            }
        }
        zip.finish().map_err(io::Error::from).map(drop)
    })
}

fn write_array<W: io::Write + io::Seek, T: AutoSerialize>(
    zip: &mut ZipWriter<W>,
    name: &str,
    shape: &[u64],
    numbers: impl Iterator<Item = T>,
) -> io::Result<()> {
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    zip.start_file(format!("{name}.npy"), options)?;
    let mut bytes = Vec::new();
    let mut writer =
        WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes).begin_nd()?;
    writer.extend(numbers)?;
    writer.finish()?;
    zip.write_all(&bytes)
}

/// Reads a checkpoint from `.npz`, compressed or not. Numbers may be in 32 or 64 bits, arrays in either order. Without
/// the arrays of Adam the optimiser starts anew; without `average` nothing is averaged.
///
/// # Errors
/// Names the file and the array that is missing or wrong.
pub fn import(path: &Path, objective: Objective) -> Result<Checkpoint, CheckpointError> {
    let malformed =
        |what: String| CheckpointError::Malformed { path: path.to_owned(), what: what.into() };
    let io = |error| CheckpointError::Io { path: path.to_owned(), error };
    let file = File::open(path).map_err(io)?;
    let zip = ZipArchive::new(BufReader::new(file));
    let mut zip = zip.map_err(|error| malformed(format!("no .npz file: {error}")))?;
    let mut number = |name: &str, default: Option<i64>| match array(&mut zip, name) {
        Ok(Some(Numbers { numbers, .. })) if numbers.len() == 1 => Ok(numbers[0] as i64),
        Ok(None) if default.is_some() => Ok(default.unwrap_or(0)),
        Ok(None) => Err(malformed(format!("the number `{name}` is missing"))),
        Ok(Some(_)) => Err(malformed(format!("`{name}` is not one number"))),
        Err(error) => Err(malformed(format!("`{name}`: {error}"))),
    };
    if number("version", None)? != VERSION {
        return Err(malformed(format!("the version is not {VERSION}")));
    }
    let size = |name: &str, value: i64| {
        usize::try_from(value).map_err(|_| malformed(format!("`{name}` is {value}")))
    };
    let features = size("features", number("features", None)?)?;
    let features = FeatureSet::ALL.get(features).copied();
    let features = features.ok_or_else(|| malformed("unknown features".to_owned()))?;
    let [l1, l2, l3] = ["l1", "l2", "l3"].map(|name| size(name, number(name, None)?));
    let (l1, l2, l3) = (l1?, l2?, l3?);
    let architecture = match size("stacks", number("stacks", Some(0))?)? {
        0 => Architecture::plain(features, l1, l2, l3),
        stacks => Architecture::sfnn(features, l1, l2, l3, stacks),
    };
    let [steps, epochs, rounded] = ["steps", "epochs", "rounded"].map(|name| number(name, Some(0)));
    let (steps, epochs, rounded) = (steps?, epochs?, rounded?);
    if !is_trainable(architecture) {
        return Err(malformed("a network of impossible sizes".to_owned()));
    }
    let [has_state, _, has_average] =
        SETS.map(|prefix| zip.by_name(&format!("{prefix}first.weight.npy")).is_ok());
    let mut trainer = Trainer::new(Net::zeroed(architecture), objective);
    let arrays = arrays(architecture, &trainer.net.layout);
    let mut fill = |prefix: &str, rows: &mut [f32], dense: &mut [f32]| {
        for Array { name, shape, in_rows, at } in &arrays {
            let name = format!("{prefix}{name}");
            let found =
                array(&mut zip, &name).map_err(|error| malformed(format!("`{name}`: {error}")))?;
            let Some(found) = found else {
                return Err(malformed(format!("the array `{name}` is missing")));
            };
            if found.shape != *shape {
                let found = found.shape;
                return Err(malformed(format!(
                    "`{name}` has the shape {found:?} instead of {shape:?}"
                )));
            }
            if let Some(bad) = found.numbers.iter().find(|number| !number.is_finite()) {
                return Err(malformed(format!("`{name}` contains {bad}")));
            }
            let all: &mut [f32] = if *in_rows { &mut *rows } else { &mut *dense };
            for (&at, &number) in at.iter().zip(&found.numbers) {
                all[at] = number as f32;
            }
        }
        Ok(())
    };
    fill("", &mut trainer.net.rows, &mut trainer.net.dense)?;
    if has_state {
        trainer.steps = u64::try_from(steps).unwrap_or(0).max(1);
        for (prefix, set) in SETS.iter().zip(&mut trainer.moments) {
            fill(prefix, &mut set.rows, &mut set.dense)?;
        }
    }
    if has_average {
        let mut average = Parameters::zeroed(&trainer.net);
        fill(SETS[2], &mut average.rows, &mut average.dense)?;
        trainer.average = Some(average);
    }
    if rounded != 0 {
        trainer.start_rounding();
    }
    Ok(Checkpoint { trainer, epochs: u64::try_from(epochs).unwrap_or(0) })
}

/// An array in the order of C.
struct Numbers {
    shape: Vec<u64>,
    numbers: Vec<f64>,
}

/// Reads an array; `None` if there is none of that name.
fn array(zip: &mut ZipArchive<BufReader<File>>, name: &str) -> io::Result<Option<Numbers>> {
    let mut bytes = Vec::new();
    match zip.by_name(&format!("{name}.npy")) {
        Ok(mut file) => file.read_to_end(&mut bytes)?,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let file = NpyFile::new(Cursor::new(&bytes))?;
    let (shape, order) = (file.shape().to_vec(), file.order());
    let again = || NpyFile::new(Cursor::new(&bytes));
    let numbers: Vec<f64> = if let Ok(numbers) = file.into_vec::<f32>() {
        numbers.into_iter().map(f64::from).collect()
    } else if let Ok(numbers) = again()?.into_vec::<f64>() {
        numbers
    } else if let Ok(numbers) = again()?.into_vec::<i64>() {
        numbers.into_iter().map(|number| number as f64).collect()
    } else {
        let numbers = again()?.into_vec::<i32>().map_err(|_| {
            io::Error::other("the numbers are neither of 32 nor of 64 bits: use float32")
        })?;
        numbers.into_iter().map(f64::from).collect()
    };
    let numbers = match order {
        Order::C => numbers,
        Order::Fortran => in_order_of_c(&numbers, &shape),
    };
    Ok(Some(Numbers { shape, numbers }))
}

/// Numbers whose first index runs fastest, with the last one fastest.
fn in_order_of_c(numbers: &[f64], shape: &[u64]) -> Vec<f64> {
    let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
    (0..numbers.len())
        .map(|mut rest| {
            let mut index = vec![0; shape.len()];
            for (index, size) in index.iter_mut().zip(&shape).rev() {
                *index = rest % size;
                rest /= size;
            }
            let at = index.iter().zip(&shape).rev().fold(0, |at, (index, size)| at * size + index);
            numbers[at]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_fortran_is_turned_into_that_of_c() {
        // [[0, 1, 2], [3, 4, 5]] by columns.
        assert_eq!(
            in_order_of_c(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0], &[2, 3]),
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        );
        assert_eq!(in_order_of_c(&[7.0], &[]), [7.0]);
    }
}
