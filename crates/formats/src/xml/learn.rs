//! What came after what: the predictions of the reader.
//!
//! A context is a message, the list of records, or all that is passed over. Its nodes are the elements that were met in
//! it, by the names they were written with. A place is between tokens: before anything of the context, behind an
//! element, or, in what is passed over, inside one. From each place lead a few steps, each with the very bytes from
//! there to the end of the next element's name, or of the end tag, so that one compare verifies all of it.

use super::scan::{Pattern, WIDTH, is_blank_byte};
use super::step::Child;
use bantam_model::Layout;
use std::collections::HashMap;

/// No node, no slot, no place.
pub(super) const NONE: u32 = u32::MAX;

/// The place before anything of a context.
pub(super) const START: u32 = 0;

/// Steps that are tried from one place.
const MOST_STEPS: usize = 4;

/// How often an element's attributes are learned.
const MOST_TRIES: u8 = 16;

/// Attributes that are remembered of one element.
pub(super) const MOST_ATTRIBUTES: usize = 8;

pub(super) struct Learned {
    /// By message, then that of the records and that of what is passed over.
    pub(super) contexts: Vec<Context>,
    /// Nodes left to be made, so that names cannot fill the memory.
    left: u32,
    /// The last key that was given.
    last_key: u32,
}

#[derive(Default)]
pub(super) struct Context {
    pub(super) nodes: Vec<Node>,
    /// Two a node: behind it, and inside it.
    places: Vec<Steps>,
    by_name: HashMap<Box<[u8]>, u32>,
}

/// An element by its name.
pub(super) struct Node {
    /// Its end tag.
    pub(super) close: Pattern,
    /// Tells the node from all others of all contexts.
    pub(super) key: u32,
    /// Of the field in the context's message, or none.
    pub(super) slot: u32,
    /// The node of this name in the context of what is passed over, if it is passed over.
    pub(super) passed: u32,
    pub(super) attributes: Vec<AttributeStep>,
    tries: u8,
    name: Box<[u8]>,
}

#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    /// The one to be replaced next.
    turn: u8,
}

/// What may come next.
pub(super) struct Step {
    pub(super) pattern: Pattern,
    /// White space at the start of the pattern.
    pub(super) blanks: u32,
    /// An element, or none for an end tag.
    pub(super) node: u32,
    /// Of the element, or of the one that the end tag is of.
    pub(super) key: u32,
    pub(super) slot: u32,
}

/// An attribute in its tag, from the end of the one before to its value.
pub(super) struct AttributeStep {
    pub(super) pattern: Pattern,
    pub(super) quote: u8,
    pub(super) of: Use,
}

/// What an attribute is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Use {
    /// Nothing that a record holds.
    Nothing,
    Unknown,
    /// A slot.
    Field(u32),
}

/// The place behind an element.
#[inline(always)]
pub(super) const fn behind(node: u32) -> u32 {
    if node == NONE { NONE } else { node * 2 + 1 }
}

/// The place inside an element that is passed over.
#[inline(always)]
pub(super) const fn inside(node: u32) -> u32 {
    if node == NONE { NONE } else { node * 2 + 2 }
}

impl Step {
    /// From the bytes of a document: white space and an element's `<name`, or white space and a whole end tag. Nothing
    /// if there is more than white space, or too much of it.
    fn new(bytes: &[u8], blanks: usize, node: u32, key: u32, slot: u32) -> Option<Self> {
        let whole = bytes.len() <= WIDTH && bytes[..blanks].iter().all(|&b| is_blank_byte(b));
        whole.then(|| Self { pattern: Pattern::new(&[bytes]), blanks: blanks as u32, node, key, slot })
    }
}

impl Steps {
    /// Adds a step, instead of an earlier one to the same end.
    fn add(&mut self, step: Step) {
        let same = self.steps.iter().position(|s| s.node == step.node && s.key == step.key);
        if let Some(at) = same {
            self.steps[at] = step;
        } else if self.steps.len() < MOST_STEPS {
            self.steps.push(step);
        } else {
            self.turn = (self.turn + 1) % MOST_STEPS as u8;
            self.steps[self.turn as usize] = step;
        }
    }
}

impl Learned {
    pub(super) fn new(layout: &Layout) -> Self {
        let context = || Context { places: vec![Steps::default()], ..Context::default() };
        let slots: usize = layout.messages().iter().map(|m| m.slots.len()).sum();
        Self {
            contexts: (0..layout.messages().len() + 2).map(|_| context()).collect(),
            left: 2 * slots as u32 + 4096,
            last_key: 0,
        }
    }

    /// The context of the list of records.
    pub(super) fn records(&self) -> usize {
        self.contexts.len() - 2
    }

    /// The context of what is passed over.
    pub(super) fn passed(&self) -> usize {
        self.contexts.len() - 1
    }

    pub(super) fn node(&self, child: &Child) -> Option<&Node> {
        self.contexts[child.context as usize].nodes.get(child.node as usize)
    }

    /// The steps that lead from a place.
    #[inline(always)]
    pub(super) fn steps(&self, context: usize, place: u32) -> &[Step] {
        self.contexts[context].places.get(place as usize).map_or(&[], |steps| &steps.steps)
    }

    /// The node of a name, in a place: first among those that came next before.
    pub(super) fn find(&self, context: usize, place: u32, name: &[u8]) -> Option<u32> {
        let nodes = &self.contexts[context].nodes;
        let is_it = |step: &&Step| nodes.get(step.node as usize).is_some_and(|node| *node.name == *name);
        match self.steps(context, place).iter().find(is_it) {
            Some(step) => Some(step.node),
            None => self.contexts[context].by_name.get(name).copied(),
        }
    }

    /// Makes a node for a legal name that has none in this context; none if there is no room, or the name is too long.
    pub(super) fn add(&mut self, context: usize, name: &[u8], slot: u32) -> u32 {
        if self.left == 0 || name.len() > WIDTH {
            return NONE;
        }
        let passed = match self.passed() {
            passed if slot != NONE || context == passed => NONE,
            passed => self.find(passed, NONE, name).unwrap_or_else(|| self.add(passed, name, NONE)),
        };
        self.left = self.left.saturating_sub(1);
        self.last_key += 1;
        let context = &mut self.contexts[context];
        let node = context.nodes.len() as u32;
        context.nodes.push(Node {
            close: Pattern::new(&[b"</", name, b">"]),
            key: self.last_key,
            slot,
            passed,
            attributes: Vec::new(),
            tries: 0,
            name: name.into(),
        });
        context.places.push(Steps::default());
        context.places.push(Steps::default());
        context.by_name.insert(name.into(), node);
        node
    }

    /// Remembers that a node's element came next in a place. The bytes are those from the place to the end of its name.
    pub(super) fn came(&mut self, context: usize, place: u32, node: u32, bytes: &[u8], blanks: usize) {
        let context = &mut self.contexts[context];
        if let (Some(of), Some(steps)) = (context.nodes.get(node as usize), context.places.get_mut(place as usize))
            && let Some(step) = Step::new(bytes, blanks, node, of.key, of.slot)
        {
            steps.add(step);
        }
    }

    /// Remembers that an end tag came next in a place, of the node with this key.
    pub(super) fn ended(&mut self, context: usize, place: u32, key: u32, bytes: &[u8], blanks: usize) {
        if let (true, Some(steps)) = (key != 0, self.contexts[context].places.get_mut(place as usize))
            && let Some(step) = Step::new(bytes, blanks, NONE, key, NONE)
        {
            steps.add(step);
        }
    }

    /// Whether an element's attributes are worth to be learned once more.
    pub(super) fn wants_attributes(&mut self, child: &Child) -> bool {
        let nodes = &mut self.contexts[child.context as usize].nodes;
        nodes.get_mut(child.node as usize).is_some_and(|node| {
            node.tries += u8::from(node.tries <= MOST_TRIES);
            node.tries <= MOST_TRIES
        })
    }

    pub(super) fn set_attributes(&mut self, child: &Child, attributes: Vec<AttributeStep>) {
        let nodes = &mut self.contexts[child.context as usize].nodes;
        if let (Some(node), true) = (nodes.get_mut(child.node as usize), attributes.len() <= MOST_ATTRIBUTES) {
            node.attributes = attributes;
        }
    }
}
